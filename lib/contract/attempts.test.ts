import { describe, expect, test } from 'vitest'
import { newAttemptSchema, replySchema } from './attempts'

const reply = { kind: 'asked-question', id: 'q1', subject: 'Svar', body: 'Hej!' }

describe('a reply', () => {
  test.each(['to', 'cc', 'replyTo', 'from', 'headers', 'attachments'])('that names %s is refused', (name) => {
    expect(replySchema.safeParse(reply).success).toBe(true)
    expect(replySchema.safeParse({ ...reply, [name]: 'x@x.example' }).success).toBe(false)
  })

  test.each(['', ' \n', '\u0001', '\u200B\u202E', '\u2028'])(
    'without a visible character (%j) is refused',
    (nothing) => {
      expect(replySchema.safeParse({ ...reply, subject: nothing }).success).toBe(false)
      expect(replySchema.safeParse({ ...reply, body: nothing }).success).toBe(false)
    },
  )

  test.each(['🎓', '👩‍🏫 välkommen', '?'])('may be as short as %j', (subject) => {
    expect(replySchema.safeParse({ ...reply, subject }).success).toBe(true)
  })
})

test('an attempt takes nothing of what was said', () => {
  const attempt = { kind: 'asked-question', id: 'q1', channel: 'phone', outcome: 'talked' }
  expect(newAttemptSchema.safeParse(attempt).success).toBe(true)
  expect(newAttemptSchema.safeParse({ ...attempt, text: 'Hon kommer.' }).success).toBe(false)
})

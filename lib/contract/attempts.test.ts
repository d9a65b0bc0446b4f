import { expect, test } from 'vitest'
import { newAttemptSchema, replySchema } from './attempts'

const reply = { kind: 'asked-question', id: 'q1', subject: 'Svar', body: 'Hej!' }
const isTaken = (change: object) => replySchema.safeParse({ ...reply, ...change }).success

test.each(['to', 'cc', 'replyTo', 'from', 'headers', 'attachments'])('a reply that names %s is refused', (name) => {
  expect([isTaken({}), isTaken({ [name]: 'x@x.example' })]).toEqual([true, false])
})

test.each(['', ' \n', '\u0001', '\u200B\u202E', '\u2028'])('a reply of nothing visible (%j) is refused', (nothing) => {
  expect([isTaken({ subject: nothing }), isTaken({ body: nothing })]).toEqual([false, false])
})

test.each(['🎓', '👩‍🏫 välkommen', '?'])('a reply may be as short as %j', (subject) => {
  expect(isTaken({ subject })).toBe(true)
})

test('an attempt takes nothing of what was said', () => {
  const attempt = { kind: 'asked-question', id: 'q1', channel: 'phone', outcome: 'talked' }
  expect(newAttemptSchema.safeParse(attempt).success).toBe(true)
  expect(newAttemptSchema.safeParse({ ...attempt, text: 'Hon kommer.' }).success).toBe(false)
})

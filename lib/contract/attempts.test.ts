import { expect, test } from 'vitest'
import { replySchema } from './attempts'

const reply = { kind: 'asked-question', id: 'q1', subject: 'Svar', body: 'Hej!' }
const isTaken = (change: object) => replySchema.safeParse({ ...reply, ...change }).success

test.each(['', ' \n', '\u0001', '\u200B\u202E', '\u2028'])('a reply of nothing visible (%j) is refused', (nothing) => {
  expect([isTaken({ subject: nothing }), isTaken({ body: nothing })]).toEqual([false, false])
})

test('a reply may be one character', () => expect(isTaken({ subject: '🎓', body: '?' })).toBe(true))

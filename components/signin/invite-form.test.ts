import { expect, it } from 'vitest'
import { invitationAnswerSchema } from '@/lib/contract/user'
import { faultOf } from './invite-form'

it.each([
  ['7 chars', '7 chars', 'tooShort'],
  ['8 chars!', '8 chars!', null],
  ['ten chars!', 'ten chars?', 'different'],
  ['x'.repeat(200), 'x'.repeat(200), null],
  ['x'.repeat(201), 'x'.repeat(201), 'tooLong'],
])('%s, repeated as %s: %s', (password, repeated, fault) => {
  expect(faultOf(password, repeated)).toBe(fault)
})

it('asks for what the server asks for', () => {
  for (const length of [7, 8, 200, 201]) {
    const password = 'x'.repeat(length)
    expect(faultOf(password, password) === null).toBe(
      invitationAnswerSchema.safeParse({ token: 'token', password }).success,
    )
  }
})

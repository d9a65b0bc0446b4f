import { expect, it } from 'vitest'
import { ApiError } from '@/lib/api/send'
import { mailFailure, mayHaveArrived } from './mail-failure'

it('is what the server says, or else what its answer tells', () => {
  expect(mailFailure(new ApiError('broken', 502, null, 'recipient'))).toBe('recipient')
  expect(mailFailure(new ApiError('refused', 429, 60_000))).toBe('busy')
  expect(mailFailure(new ApiError('offline', 0))).toBe('offline')
  expect(mailFailure(new ApiError('broken', 500, null, 'something-new'))).toBe('other')
  expect(mailFailure(new Error('x'))).toBe('other')
  expect(mailFailure(new ApiError('unauthenticated', 401))).toBe('unauthenticated')
  expect(mailFailure(new ApiError('not-found', 404))).toBe('not-found')
  expect(mailFailure(new ApiError('refused', 400))).toBe('not-sent')
})

it('where it broke off half-way, nobody claims that nothing arrived', () => {
  expect(mayHaveArrived(new ApiError('broken', 502, null, 'unsure'))).toBe(true)
  expect(mayHaveArrived(new ApiError('unreadable', 200))).toBe(true)
  expect(mayHaveArrived(new ApiError('broken', 502, null, 'refused'))).toBe(false)
})

it.each([
  ['unauthenticated', 401],
  ['unauthorized', 403],
  ['not-found', 404],
  ['refused', 400],
] as const)('an answer that says no (%s) sent nothing, and nobody is told that it may have arrived', (kind, status) => {
  expect(mayHaveArrived(new ApiError(kind, status))).toBe(false)
})

import { expect, it } from 'vitest'
import { ApiError } from '@/lib/api/send'
import { mailFailure, mayHaveArrived } from './mail-failure'

it('is what the server says, or else what its answer tells', () => {
  expect(mailFailure(new ApiError('broken', 502, null, 'recipient'))).toBe('recipient')
  expect(mailFailure(new ApiError('refused', 429, 60_000))).toBe('busy')
  expect(mailFailure(new ApiError('offline', 0))).toBe('offline')
  expect(mailFailure(new ApiError('broken', 500, null, 'something-new'))).toBe('other')
  expect(mailFailure(new Error('x'))).toBe('other')
})

it('where it broke off half-way, nobody claims that nothing arrived', () => {
  expect(mayHaveArrived(new ApiError('broken', 502, null, 'unsure'))).toBe(true)
  expect(mayHaveArrived(new ApiError('broken', 502, null, 'refused'))).toBe(false)
})

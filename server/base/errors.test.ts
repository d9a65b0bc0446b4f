import { expect, test, vi } from 'vitest'
import { ConflictError, NotFoundError } from './errors'

test('an error is known by its kind, also when another copy of the module made it', async () => {
  vi.resetModules()
  const copy = await import('./errors')
  expect(copy.ConflictError).not.toBe(ConflictError)
  expect(new copy.ConflictError('taken')).toBeInstanceOf(ConflictError)
  expect(new copy.NotFoundError()).not.toBeInstanceOf(ConflictError)
  expect(new Error('Not Found')).not.toBeInstanceOf(NotFoundError)
})

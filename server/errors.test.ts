import { expect, test, vi } from 'vitest'
import { ConflictError, NotFoundError, NotReadyError } from './errors'

test('an error is known by its kind, also when another copy of the module made it', async () => {
  vi.resetModules()
  const copy = await import('./errors')
  expect(copy.ConflictError).not.toBe(ConflictError)
  expect(new copy.ConflictError('taken')).toBeInstanceOf(ConflictError)
  expect(new copy.NotFoundError()).not.toBeInstanceOf(ConflictError)
  expect(new Error('Not Found')).not.toBeInstanceOf(NotFoundError)
})

test('an error of a narrower kind is one of the wider kind, and not the other way round', async () => {
  const { JobTakenOverError } = await import('./jobs')
  expect(new JobTakenOverError()).toBeInstanceOf(NotReadyError)
  expect(new NotReadyError()).not.toBeInstanceOf(JobTakenOverError)
})

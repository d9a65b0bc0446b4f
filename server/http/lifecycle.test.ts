import { expect, test } from 'vitest'
import { testServices } from '@/server/testing/services'
import { createLifecycle, retryDuringOutage } from './lifecycle'

const withCode = (code: string) => Object.assign(new Error('x'), { code })

test('a PostgreSQL that comes late is waited for, with one line of the log; an unknown database in it is a refusal', async () => {
  const lifecycle = createLifecycle()
  const seen: string[] = []
  const logger = {
    warn: ({ trouble }: { trouble: string }) => void seen.push(`${lifecycle.getPhase()}: ${trouble}`),
    info: (message: string) => void seen.push(`${lifecycle.getPhase()}: ${message}`),
  }
  const services = testServices({
    env: { databaseUrl: 'postgres://x' },
    lifecycle,
    logger,
    clock: { monotonic: () => 0 },
  })
  const failures = [withCode('ECONNREFUSED'), withCode('57P03')]
  const start = async () => {
    const failure = failures.shift()
    if (failure) throw failure
  }
  await retryDuringOutage(services, start, 1)
  const answers = 'waiting: the database answers, and Intag goes on with its start'
  expect(seen).toEqual([expect.stringContaining('waiting: nothing listens there'), answers])
  expect(lifecycle.getPhase()).toBe('starting')
  failures.push(withCode('3D000'))
  await expect(retryDuringOutage(services, start, 1)).rejects.toMatchObject({ code: '3D000' })
})

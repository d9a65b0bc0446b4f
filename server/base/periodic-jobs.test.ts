import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPeriodicJobs } from './periodic-jobs'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function open() {
  const warned: object[] = []
  const schedule = (delayMs: number, run: () => void) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  }
  const jobs = createPeriodicJobs({ schedule, logger: { warn: (line: object) => warned.push(line) } })
  return { ...jobs, warned }
}

test('a round begins so long after the one before has ended, however long that took', async () => {
  const { repeatEvery } = open()
  const begun: number[] = []
  const slow = Promise.withResolvers<void>()
  repeatEvery(10, () => begun.push(Date.now()) === 2 && slow.promise, { name: 'test', firstDelayMs: 3 })
  await pass(50)
  expect(begun).toEqual([3, 13])
  slow.resolve()
  await pass(19)
  expect(begun).toEqual([3, 13, 60])
})

test('a round that fails is logged by its name, and the next one comes', async () => {
  const { repeatEvery, warned } = open()
  const job = vi.fn<() => Promise<void> | undefined>()
  job.mockImplementationOnce(() => {
    throw new Error('at once')
  })
  job.mockRejectedValueOnce(new Error('later'))
  repeatEvery(10, job, { name: 'test' })
  await pass(45)
  expect(job).toHaveBeenCalledTimes(4)
  expect(warned).toMatchObject([
    { what: 'test', err: { message: 'at once' } },
    { what: 'test', err: { message: 'later' } },
  ])
})

test('after the end no round begins, not even behind one that is under way', async () => {
  const { repeatEvery, stop } = open()
  const rounds: string[] = []
  const slow = Promise.withResolvers<void>()
  repeatEvery(10, () => (rounds.push('slow'), slow.promise), { name: 'slow' })
  repeatEvery(15, () => rounds.push('other'), { name: 'other' })
  await pass(12)
  stop()
  slow.resolve()
  await pass(50)
  expect([rounds, vi.getTimerCount()]).toEqual([['slow'], 0])
})

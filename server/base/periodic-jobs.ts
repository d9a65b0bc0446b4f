import type { Logger } from './logger'

type Schedule = (delayMs: number, run: () => void) => () => void

export function createPeriodicJobs({ schedule, logger }: { schedule: Schedule; logger: Pick<Logger, 'warn'> }) {
  const cancels = new Set<() => void>()
  let isStopped = false
  return {
    /** Runs the job, with `intervalMs` from the end of a run to the next, so that none overlap. Failures are logged. */
    repeatEvery: (intervalMs: number, job: () => unknown, options: { name: string; firstDelayMs?: number }): void => {
      const { name, firstDelayMs = intervalMs } = options
      const runAfter = (delayMs: number) => {
        if (isStopped) return
        const cancel = schedule(delayMs, async () => {
          cancels.delete(cancel)
          try {
            await job()
          } catch (err) {
            logger.warn({ err, what: name }, 'a periodic job failed; its next run tries again')
          }
          runAfter(intervalMs)
        })
        cancels.add(cancel)
      }
      runAfter(firstDelayMs)
    },
    stop: (): void => {
      isStopped = true
      for (const cancel of cancels) cancel()
    },
  }
}

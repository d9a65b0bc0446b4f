import 'server-only'
import type { Logger } from './logger'

export type Schedule = (delayMs: number, run: () => void) => () => void

/** Runs jobs again and again, with `intervalMs` between the end of a run and the next start. Failures are logged. */
export function createPeriodicJobs({ schedule, logger }: { schedule: Schedule; logger: Pick<Logger, 'warn'> }) {
  const cancels = new Set<() => void>()
  let isStopped = false
  const repeat = (intervalMs: number, job: () => unknown, options: { name: string; firstDelayMs?: number }): void => {
    const { name, firstDelayMs = intervalMs } = options
    const runAfter = (delayMs: number) => {
      if (isStopped) return
      const cancel = schedule(delayMs, async () => {
        cancels.delete(cancel)
        try {
          await job()
        } catch (err) {
          logger.warn({ err, what: name }, 'work that comes round has failed; the next round tries again')
        }
        runAfter(intervalMs)
      })
      cancels.add(cancel)
    }
    runAfter(firstDelayMs)
  }
  const stop = () => {
    isStopped = true
    for (const cancel of cancels) cancel()
  }
  return Object.assign(repeat, { stop })
}

import { setTimeout as wait } from 'node:timers/promises'
import { withTimeout } from '@/server/base/deadline'
import type { Services } from '@/server/base/services'
import type { OpenRequests } from '@/server/http/open-requests'

/** Supervisors must wait for draining and `totalMs` before they kill the process. */
const LIMITS = { openRequestsMs: 10_000, quietMs: 250, flushMs: 3_000, totalMs: 15_000 }

/** Drains for `drainMs`, so that requests go elsewhere, and then waits up to `openRequestsMs` for open ones. */
export async function shutDown(
  services: Services,
  requests: OpenRequests,
  drainMs: number,
  { openRequestsMs, quietMs, flushMs, totalMs } = LIMITS,
) {
  const { lifecycle, logger, hub, feed, jobs, demo, sharedLists, leadOpenings, database, events } = services
  const close = async () => {
    hub.close()
    feed.stop()
    // Releasing the lease lets another instance lead at once.
    const releasing = sharedLists.close()
    jobs.stop()
    requests.stopListening()
    const openCount = await requests.waitUntilQuiet(quietMs, openRequestsMs)
    if (openCount > 0) logger.warn({ left: openCount }, 'requests were cut off')
    await requests.closeIdle()
    demo?.stop()
    events.close()
    const closing = Promise.all([releasing, leadOpenings.flush()]).finally(() => database.close())
    await withTimeout(closing, flushMs).catch((err: unknown) => logger.warn({ err }, 'the log may lack its last lines'))
  }
  lifecycle.drain()
  requests.disableKeepAlive()
  logger.info({ drainMs, underWay: requests.countOpenRequests() }, 'Intag is closing')
  await wait(drainMs)
  await withTimeout(close(), totalMs).catch((err: unknown) => logger.error({ err }, 'Intag could not close everything'))
}

/** A second signal within this time is the same Ctrl-C, which both the terminal and npm send. */
const SAME_SIGNAL_MS = 1_000

/**
 * Shuts down and exits, once, on SIGTERM, SIGINT or the end of npm. A second signal exits at once. `isHurried` is true
 * for SIGINT, because a person at a keyboard waits.
 */
export function shutDownOnSignal(
  shutDownOnce: (options: { isHurried: boolean }) => Promise<void>,
  exit: (code: number) => void = process.exit,
  monotonic = () => performance.now(),
) {
  let startedAt: number | null = null
  const onSignal = (options: { isHurried: boolean }) => {
    if (startedAt === null) {
      startedAt = monotonic()
      void shutDownOnce(options).then(
        () => exit(0),
        () => exit(1),
      )
    } else if (monotonic() - startedAt >= SAME_SIGNAL_MS) exit(1)
  }
  process.on('SIGTERM', () => onSignal({ isHurried: false }))
  process.on('SIGINT', () => onSignal({ isHurried: true }))
  watchParentProcess(() => {
    // npm also ends when it has passed on a signal, and its end is no second one.
    if (startedAt === null) onSignal({ isHurried: false })
  })
}

/** The parent is polled this often, because nothing reports its end. */
const PARENT_POLL_MS = 500

/** Calls `onEnd` when npm, the parent, is gone: its shell swallows signals, and `kill -9` sends none. */
function watchParentProcess(onEnd: () => void) {
  if (process.env.npm_lifecycle_event !== 'start') return
  const parentId = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parentId) return
    clearInterval(timer)
    onEnd()
  }, PARENT_POLL_MS).unref()
}

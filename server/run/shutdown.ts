import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { withTimeout } from '@/server/base/deadline'
import type { Services } from '@/server/base/services'
import type { OpenRequests } from '@/server/http/open-requests'

/**
 * Limits in ms: `endMs` for answers under way, `quietMs` without a new request, `closeMs` for database and log, `hardMs` for
 * everything after draining. Supervisors must wait for draining and `hardMs` before they kill the process.
 */
const TIMES = { endMs: 10_000, quietMs: 250, closeMs: 3_000, hardMs: 15_000 }

/**
 * Shuts down without a failed request. For `drainMs` Intag reports that it is not ready, so that the balancer sends requests
 * elsewhere. Then streams and connections end, answers under way complete, and the log is written. Resolves at the latest
 * `hardMs` after draining.
 */
export async function shutDown(
  services: Services,
  requests: OpenRequests,
  drainMs: number,
  { endMs, quietMs, closeMs, hardMs } = TIMES,
): Promise<void> {
  const { lifecycle, logger, hub, feed, repeatEvery, demo, sharedLists, leadOpenings, database, events } = services
  const close = async () => {
    hub.close()
    feed.stop()
    // Releasing the lease lets another instance lead at once.
    const leaseReleased = sharedLists.close()
    repeatEvery.stop()
    requests.stopListening()
    const cutOff = await requests.waitUntilQuiet(quietMs, endMs)
    if (cutOff > 0) logger.warn({ left: cutOff }, 'requests were cut off')
    await requests.closeIdle()
    demo?.stop()
    events.close()
    const closing = Promise.all([leaseReleased, leadOpenings.flush().then(() => database.close())])
    await withTimeout(closing, closeMs).catch((err: unknown) => logger.warn({ err }, 'the log may lack its last lines'))
  }
  lifecycle.drain()
  requests.disableKeepAlive()
  logger.info({ drainMs, underWay: requests.countOpenRequests() }, 'Intag is closing')
  await wait(drainMs)
  await withTimeout(close(), hardMs).catch((err: unknown) => logger.error({ err }, 'Intag could not close everything'))
}

/**
 * Calls `shutDownApp` once, on SIGTERM, SIGINT or the end of npm, and exits when it resolves. A second signal exits at once.
 * `isHurried` is true for SIGINT, because a person at a keyboard waits.
 */
export function shutDownOnSignal(
  shutDownApp: (isHurried: boolean) => Promise<void>,
  exit: (code: number) => void = process.exit,
  monotonic = () => performance.now(),
): void {
  let startedAt: number | null = null
  const shutDownOnce = (isHurried: boolean) => {
    if (startedAt === null) {
      startedAt = monotonic()
      void shutDownApp(isHurried).then(
        () => exit(0),
        () => exit(1),
      )
      // A signal within a second is the same Ctrl-C, which arrives from the terminal and from npm.
    } else if (monotonic() - startedAt >= 1_000) exit(1)
  }
  process.on('SIGTERM', () => shutDownOnce(false))
  process.on('SIGINT', () => shutDownOnce(true))
  watchParentProcess(() => startedAt === null && shutDownOnce(false))
}

/** Calls `onEnd` when the parent process is gone. A shell swallows the signals of npm, and `kill -9` of npm sends none. */
export function watchParentProcess(
  onEnd: () => void,
  { parent = () => process.ppid, event = process.env.npm_lifecycle_event, pollMs = 500 } = {},
): void {
  if (event !== 'start') return
  const first = parent()
  const timer = setInterval(() => {
    if (parent() === first) return
    clearInterval(timer)
    onEnd()
  }, pollMs).unref()
}

import { setTimeout as wait } from 'node:timers/promises'
import { withTimeout } from '@/server/base/deadline'
import type { Services } from '@/server/base/services'
import type { OpenRequests } from '@/server/http/open-requests'

/** Supervisors must wait for draining and `totalMs` before they kill the process. */
const LIMITS = { answersMs: 10_000, quietMs: 250, closeMs: 3_000, totalMs: 15_000 }

/** Reports for `drainMs` that it is not ready, so that requests go elsewhere, and ends without a failed one. */
export async function shutDown(
  services: Services,
  requests: OpenRequests,
  drainMs: number,
  { answersMs, quietMs, closeMs, totalMs } = LIMITS,
): Promise<void> {
  const { lifecycle, logger, hub, feed, jobs, demo, sharedLists, leadOpenings, database, events } = services
  const close = async () => {
    hub.close()
    feed.stop()
    // Releasing the lease lets another instance lead at once.
    const releasing = sharedLists.close()
    jobs.stop()
    requests.stopListening()
    const cutOff = await requests.waitUntilQuiet(quietMs, answersMs)
    if (cutOff > 0) logger.warn({ left: cutOff }, 'requests were cut off')
    await requests.closeIdle()
    demo?.stop()
    events.close()
    const closing = Promise.all([releasing, leadOpenings.flush()]).finally(() => database.close())
    await withTimeout(closing, closeMs).catch((err: unknown) => logger.warn({ err }, 'the log may lack its last lines'))
  }
  lifecycle.drain()
  requests.disableKeepAlive()
  logger.info({ drainMs, underWay: requests.countOpenRequests() }, 'Intag is closing')
  await wait(drainMs)
  await withTimeout(close(), totalMs).catch((err: unknown) => logger.error({ err }, 'Intag could not close everything'))
}

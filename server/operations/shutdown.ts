import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { OpenRequests } from '@/server/http/open-requests'
import type { Services } from '@/server/services'
import { withinTime } from '@/server/upstream/deadline'

type Parts = Pick<
  Services,
  'lifecycle' | 'hub' | 'feed' | 'every' | 'demo' | 'reading' | 'sealer' | 'sharedLists' | 'logger'
> & { database: Pick<Services['database'], 'close'>; redis: { close(): void } | null }

/** All in ms. Whoever stops the process must give it the time of draining and `hardMs` before they kill it. */
const TIMES = {
  /** Answers under way, downloads among them, have this long to end. */
  endMs: 10_000,
  /** For a request on a connection that was open already, and for what is written once an answer has left. */
  quietMs: 250,
  /** The log and the database, which survive it without. */
  closeMs: 3_000,
  hardMs: 15_000,
}

/**
 * The way out, without a failed request: not ready any more, so that the balancer sends its requests elsewhere (`drainMs`);
 * streams are handed over and no connection is taken; what is under way ends; the log is written; then all is closed.
 * Resolves when the process may end, at the latest `hardMs` after draining.
 */
export async function shutDown(
  parts: Parts,
  requests: OpenRequests,
  drainMs: number,
  times: typeof TIMES = TIMES,
): Promise<void> {
  const { lifecycle, logger } = parts
  lifecycle.drain()
  requests.leave()
  logger.info({ drainMs, underWay: requests.underWay() }, 'Intag is closing')
  await wait(drainMs)
  await withinTime(close(parts, requests, times), times.hardMs).catch((err: unknown) =>
    logger.error({ err }, 'Intag could not close everything'),
  )
}

async function close(parts: Parts, requests: OpenRequests, times: typeof TIMES): Promise<void> {
  const { hub, feed, every, demo, sharedLists, database, redis, logger } = parts
  hub.close()
  feed.stop()
  every.stop()
  await requests.stopListening()
  const left = await requests.quiet(times.quietMs, times.endMs)
  if (left > 0) logger.warn({ left }, 'requests were cut off')
  await requests.closeIdle()
  demo?.stop()
  const closing = Promise.all([sharedLists.close(), endLog(parts).then(() => database.close())])
  await withinTime(closing, times.closeMs).catch((err: unknown) =>
    logger.warn({ err }, 'the log may lack its last lines'),
  )
  redis?.close()
}

/** What was read lately is written and all of it sealed; what fails is in the process log. */
async function endLog({ reading, sealer }: Parts): Promise<void> {
  await reading.flush()
  await sealer.sealLast()
}

import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { OpenRequests } from '@/server/http/open-requests'
import type { Services } from '@/server/services'
import { withinTime } from '@/server/upstream/deadline'

type Parts = Pick<
  Services,
  'lifecycle' | 'hub' | 'feed' | 'every' | 'demo' | 'reading' | 'sealer' | 'sharedLists' | 'logger'
> & { database: Pick<Services['database'], 'close'>; redis: { close(): void } | null }

/** In ms. Supervisors must wait for draining and `hardMs` before they kill the process. */
const TIMES = { endMs: 10_000, quietMs: 250, closeMs: 3_000, hardMs: 15_000 }

/**
 * Shuts down without a failed request: not ready, so that the balancer sends requests elsewhere (`drainMs`); streams
 * and connections end; answers under way complete; the log is written. Resolves at the latest `hardMs` after draining.
 */
export async function shutDown(parts: Parts, requests: OpenRequests, drainMs: number, times = TIMES): Promise<void> {
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
  // Another instance leads at once.
  const left = sharedLists.close()
  every.stop()
  await requests.stopListening()
  const cutOff = await requests.quiet(times.quietMs, times.endMs)
  if (cutOff > 0) logger.warn({ left: cutOff }, 'requests were cut off')
  await requests.closeIdle()
  demo?.stop()
  const closing = Promise.all([left, endLog(parts).then(() => database.close())])
  await withinTime(closing, times.closeMs).catch((err: unknown) =>
    logger.warn({ err }, 'the log may lack its last lines'),
  )
  redis?.close()
}

async function endLog({ reading, sealer }: Parts): Promise<void> {
  await reading.flush()
  await sealer.sealLast()
}

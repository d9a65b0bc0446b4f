import 'server-only'
import { DATABASE_AWAY, REASON_HEADER } from '@/lib/contract/headers'
import type { Connect } from '@/server/db/database'
import type { RedisConnections } from '@/server/db/redis-connections'
import type { Feed } from '@/server/feed/feed'
import { type DatabaseCheck, databaseAnswers } from './health'
import type { Lifecycle } from './lifecycle'

type Parts = {
  lifecycle: Pick<Lifecycle, 'phase'>
  feed: Pick<Feed, 'askedQuestions' | 'declarations'>
  databaseWatch: Pick<DatabaseWatch, 'isAway'>
  redis: { commands: Pick<RedisConnections['commands'], 'status'> } | null
  /** Milliseconds since the process began. */
  monotonic?: () => number
}

const headers = { 'cache-control': 'no-store' }

/** That this answers is all: the process lives and its event loop turns. Asks nothing else, or an outage would restart it. */
export function live(): Response {
  return Response.json({ live: true }, { headers })
}

/** After so long an instance without lists is worth reaching: it says what is wrong with the service. */
const LONGEST_WAIT_FOR_LISTS_MS = 30_000

/**
 * Whether a balancer should send people here: 200, or 503 with the reasons. What all instances share is no reason: an
 * outage of database or Redis would take every one of them out at once, though each serves what it has in memory and says
 * what it cannot do. It is told as `degraded`. Names no version, address or person, and asks nobody anything.
 */
export function ready(parts: Parts): Response {
  const phase = parts.lifecycle.phase()
  const reasons = reasonsOf(parts)
  const degraded = degradedOf(parts)
  const isComing = phase === 'starting' || phase === 'waiting'
  return Response.json(
    // Until it has started, this is also the answer of every other route (`server/http/routes.ts`).
    { ...(isComing && { error: reasons[0] }), ready: reasons.length === 0, phase, reasons, degraded },
    {
      status: reasons.length === 0 ? 200 : 503,
      headers: {
        ...headers,
        ...(isComing && { 'retry-after': '3' }),
        ...(phase === 'waiting' && { [REASON_HEADER]: DATABASE_AWAY }),
      },
    },
  )
}

function reasonsOf({ lifecycle, feed, redis, monotonic = () => performance.now() }: Parts): string[] {
  const phase = lifecycle.phase()
  if (phase === 'draining') return ['Intag is closing']
  if (phase === 'starting') return ['Intag is starting']
  if (phase === 'waiting') return ['Intag waits for the database']
  const lists = [feed.askedQuestions(), feed.declarations()]
  // What others have they hand over soon: until then people are better served there, whatever is wrong here.
  const isAwaited = lists.some(({ content, problem }) => content === null && (problem === null || redis !== null))
  return isAwaited && monotonic() < LONGEST_WAIT_FOR_LISTS_MS ? ['The lists have not been read yet'] : []
}

function degradedOf({ feed, databaseWatch, redis }: Parts): string[] {
  const lists = [feed.askedQuestions(), feed.declarations()]
  return [
    ...(databaseWatch.isAway() ? ['The database cannot be reached'] : []),
    ...(redis !== null && redis.commands.status !== 'ready' ? ['Redis cannot be reached'] : []),
    ...(lists.some(({ content }) => content === null) ? ['A list has no content yet'] : []),
    ...(lists.some(({ problem }) => problem !== null) ? ['A list cannot be read from the service at the moment'] : []),
  ]
}

export type DatabaseWatch = ReturnType<typeof createDatabaseWatch>

/** However many probes there are, the database is asked once in this time. */
const HOLDS_MS = 5_000

/** Whether the database answered lately. Nobody waits for it: asking begins one, and what was known is told. */
export function createDatabaseWatch(
  connect: Connect,
  { now = () => performance.now(), answers = databaseAnswers }: { now?: () => number; answers?: DatabaseCheck } = {},
) {
  let isAway = false
  let askedAt = Number.NEGATIVE_INFINITY
  const ask = async () => {
    isAway = !(await answers(connect))
  }
  return {
    isAway: (): boolean => {
      if (now() - askedAt >= HOLDS_MS) {
        askedAt = now()
        void ask()
      }
      return isAway
    },
  }
}

import 'server-only'
import { DATABASE_AWAY, REASON_HEADER } from '@/lib/contract/headers'
import { type Connect, databaseAnswers, type Db } from '@/server/base/database'
import type { Feed } from '@/server/feed/feed'
import { oncePerProcess } from '@/server/base/once-per-process'

type HealthParts = {
  connect: Connect
  feed: Pick<Feed, 'askedQuestions' | 'declarations'>
}

const headers = { 'cache-control': 'no-store' }

/** Ready (200, otherwise 503) when the database answers; without the rest Intag still says what is wrong. */
export async function health({ connect, feed }: HealthParts): Promise<Response> {
  const database = await databaseAnswers(connect)
  const data = feed.declarations().content !== null && feed.askedQuestions().content !== null
  return Response.json(
    {
      live: true,
      ready: database,
      database: database ? 'up' : 'down',
      data: data ? 'present' : 'waiting',
    },
    { status: database ? 200 : 503, headers },
  )
}

type Parts = {
  lifecycle: Pick<Lifecycle, 'phase'>
  connect: () => Promise<Pick<Db, 'execute'>>
  feed: Pick<Feed, 'askedQuestions' | 'declarations'>
  monotonic?: () => number
}

/** The process lives and its event loop turns. Asks nothing else, or an outage would restart it. */
export function live(): Response {
  return Response.json({ live: true }, { headers })
}

const MAX_WAIT_FOR_LISTS_MS = 30_000

/**
 * Whether a balancer should send people here: 200, or 503 with the reasons. What all instances share is only
 * `degraded`: an outage of the database would take all of them out at once. Names no version, address or person.
 * The database is asked, for two seconds at most.
 */
export async function ready(parts: Parts): Promise<Response> {
  const phase = parts.lifecycle.phase()
  const reasons = reasonsOf(parts)
  const degraded = await degradedOf(parts)
  const isComing = phase === 'starting' || phase === 'waiting'
  return Response.json(
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

function reasonsOf({ lifecycle, feed, monotonic = () => performance.now() }: Parts): string[] {
  const phase = lifecycle.phase()
  if (phase === 'draining') return ['Intag is closing']
  if (phase === 'starting') return ['Intag is starting']
  if (phase === 'waiting') return ['Intag waits for the database']
  const lists = [feed.askedQuestions(), feed.declarations()]
  const isAwaited = lists.some(({ content, problem }) => content === null && problem === null)
  return isAwaited && monotonic() < MAX_WAIT_FOR_LISTS_MS ? ['The lists have not been read yet'] : []
}

async function degradedOf({ lifecycle, connect, feed }: Parts): Promise<string[]> {
  const isAway = lifecycle.phase() === 'up' && !(await databaseAnswers(connect))
  const lists = [feed.askedQuestions(), feed.declarations()]
  return [
    ...(isAway ? ['The database cannot be reached'] : []),
    ...(lists.some(({ content }) => content === null) ? ['A list has no content yet'] : []),
    ...(lists.some(({ problem }) => problem !== null) ? ['A list cannot be read from the service at the moment'] : []),
  ]
}

type Lifecycle = ReturnType<typeof createLifecycle>

type Phase = 'starting' | 'waiting' | 'up' | 'draining'

export function createLifecycle() {
  let phase: Phase = 'starting'
  const isComing = () => phase === 'starting' || phase === 'waiting'
  return {
    phase: () => phase,
    isComing,
    awaitDatabase: (isAway: boolean): void => {
      if (isComing()) phase = isAway ? 'waiting' : 'starting'
    },
    up: (): void => {
      if (isComing()) phase = 'up'
    },
    drain: (): void => {
      phase = 'draining'
    },
  }
}

export const processLifecycle = oncePerProcess('lifecycle', createLifecycle)

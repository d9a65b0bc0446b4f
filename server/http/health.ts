import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { DATABASE_AWAY, REASON_HEADER } from '@/lib/contract/headers'
import { databaseAnswers } from '@/server/base/database'
import { oncePerProcess } from '@/server/base/once-per-process'
import { isDatabaseAway } from '@/server/base/outage'
import type { Services } from '@/server/base/services'
import { databaseTrouble } from '@/server/base/trouble'

const headers = { 'cache-control': 'no-store' }

/** Ready (200, otherwise 503) when the database answers; without the rest Intag still says what is wrong. */
export async function health({ connect, feed }: Services): Promise<Response> {
  const database = await databaseAnswers(connect)
  const data = feed.declarations().content !== null && feed.askedQuestions().content !== null
  const answer = { live: true, ready: database, database: database ? 'up' : 'down', data: data ? 'present' : 'waiting' }
  return Response.json(answer, { status: database ? 200 : 503, headers })
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
export async function ready({ lifecycle, connect, feed, clock }: Services): Promise<Response> {
  const phase = lifecycle.phase()
  const lists = [feed.askedQuestions(), feed.declarations()]
  const isAwaited = lists.some(({ content, problem }) => content === null && problem === null)
  const reasons: string[] = phase === 'up' ? [] : [REASONS[phase]]
  if (phase === 'up' && isAwaited && clock.monotonic() < MAX_WAIT_FOR_LISTS_MS)
    reasons.push('The lists have not been read yet')
  const isAway = phase === 'up' && !(await databaseAnswers(connect))
  const degraded = [
    ...(isAway ? ['The database cannot be reached'] : []),
    ...(lists.some(({ content }) => content === null) ? ['A list has no content yet'] : []),
    ...(lists.some(({ problem }) => problem !== null) ? ['A list cannot be read from the service at the moment'] : []),
  ]
  const isReady = reasons.length === 0
  const isComing = lifecycle.isComing()
  const answer = { ...(isComing && { error: reasons[0] }), ready: isReady, phase, reasons, degraded }
  return Response.json(answer, {
    status: isReady ? 200 : 503,
    headers: {
      ...headers,
      ...(isComing && { 'retry-after': '3' }),
      ...(phase === 'waiting' && { [REASON_HEADER]: DATABASE_AWAY }),
    },
  })
}

const REASONS = {
  draining: 'Intag is closing',
  starting: 'Intag is starting',
  waiting: 'Intag waits for the database',
}

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

/** Rejects with what waiting does not mend. */
export async function whenDatabaseAnswers(services: Services, step: () => Promise<void>, pauseMs = 2_000) {
  const { env, lifecycle, logger, clock } = services
  let warnedAt = -Infinity
  for (;;) {
    try {
      await step()
      if (warnedAt !== -Infinity) logger.info('the database answers, and Intag goes on with its start')
      return lifecycle.awaitDatabase(false)
    } catch (error) {
      if (!isDatabaseAway(env, error)) throw error
      lifecycle.awaitDatabase(true)
      if (clock.monotonic() - warnedAt >= 60_000) {
        warnedAt = clock.monotonic()
        logger.warn({ trouble: databaseTrouble(error) }, 'Intag waits for the database, and serves nobody yet')
      }
      await wait(pauseMs)
    }
  }
}

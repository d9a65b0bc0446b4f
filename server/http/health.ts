import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { DATABASE_AWAY, REASON_HEADER } from '@/lib/contract/headers'
import { databaseAnswers } from '@/server/base/database'
import { oncePerProcess } from '@/server/base/once-per-process'
import { explainDatabaseError, mayDatabaseRecover } from '@/server/base/database-outage'
import type { Services } from '@/server/base/services'

const headers = { 'cache-control': 'no-store' }

/** Ready (200, otherwise 503) when the database answers; without the rest Intag still says what is wrong. */
export async function getHealth({ connect, feed }: Services): Promise<Response> {
  const database = await databaseAnswers(connect)
  const data = feed.declarations().content !== null && feed.askedQuestions().content !== null
  const answer = { live: true, ready: database, database: database ? 'up' : 'down', data: data ? 'present' : 'waiting' }
  return Response.json(answer, { status: database ? 200 : 503, headers })
}

/** The process lives and its event loop turns. Asks nothing else, or an outage would restart it. */
export function getLiveness(): Response {
  return Response.json({ live: true }, { headers })
}

/**
 * Whether a balancer should send people here: 200, or 503 with the reason. What all instances share is only
 * `degraded`: an outage of the database would take all of them out at once. Names no version, address or person.
 * The lists are awaited for half a minute, and the database is asked for two seconds at most.
 */
export async function getReadiness({ lifecycle, connect, feed, clock }: Services): Promise<Response> {
  const phase = lifecycle.getPhase()
  const lists = [feed.askedQuestions(), feed.declarations()]
  const isAwaited = lists.some(({ content, problem }) => content === null && problem === null)
  const isEarly = phase === 'up' && isAwaited && clock.monotonic() < 30_000
  const reason = phase === 'up' ? isEarly && 'The lists have not been read yet' : REASONS[phase]
  const degraded = [
    phase === 'up' && !(await databaseAnswers(connect)) && 'The database cannot be reached',
    lists.some(({ content }) => content === null) && 'A list has no content yet',
    lists.some(({ problem }) => problem !== null) && 'A list cannot be read from the service at the moment',
  ].filter((text) => text !== false)
  const answer = { ready: reason === false, phase, reasons: reason === false ? [] : [reason], degraded }
  const status = reason === false ? 200 : 503
  if (!lifecycle.isStarting()) return Response.json(answer, { status, headers })
  const away = phase === 'waiting' && { [REASON_HEADER]: DATABASE_AWAY }
  return Response.json({ error: reason, ...answer }, { status, headers: { ...headers, 'retry-after': '3', ...away } })
}

const REASONS = {
  draining: 'Intag is closing',
  starting: 'Intag is starting',
  waiting: 'Intag waits for the database',
}

export function createLifecycle() {
  let currentPhase: keyof typeof REASONS | 'up' = 'starting'
  const isStarting = () => currentPhase === 'starting' || currentPhase === 'waiting'
  return {
    getPhase: () => currentPhase,
    isStarting: isStarting,
    setDatabaseAway: (isAway: boolean): void => {
      if (isStarting()) currentPhase = isAway ? 'waiting' : 'starting'
    },
    markUp: (): void => {
      if (isStarting()) currentPhase = 'up'
    },
    drain: () => void (currentPhase = 'draining'),
  }
}

export const processLifecycle = oncePerProcess('lifecycle', createLifecycle)

/** Rejects with what waiting does not mend. */
export async function retryDuringOutage(services: Services, step: () => Promise<void>, pauseMs = 2_000) {
  const { env, lifecycle, logger, clock } = services
  let warnedAt = -Infinity
  for (;;) {
    try {
      await step()
      if (warnedAt !== -Infinity) logger.info('the database answers, and Intag goes on with its start')
      return lifecycle.setDatabaseAway(false)
    } catch (error) {
      if (!mayDatabaseRecover(env, error)) throw error
      lifecycle.setDatabaseAway(true)
      if (clock.monotonic() - warnedAt >= 60_000) {
        warnedAt = clock.monotonic()
        logger.warn({ trouble: explainDatabaseError(error) }, 'Intag waits for the database, and serves nobody yet')
      }
      await wait(pauseMs)
    }
  }
}

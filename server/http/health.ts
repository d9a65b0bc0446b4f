import 'server-only'
import { DATABASE_AWAY, REASON_HEADER } from '@/lib/contract/headers'
import { databaseAnswers } from '@/server/base/database'
import type { Services } from '@/server/base/services'

const headers = { 'cache-control': 'no-store' }

/** 200 if the database answers, otherwise 503. Without the lists Intag can still show what is wrong. */
export async function getHealth({ connect, feed }: Services): Promise<Response> {
  const database = await databaseAnswers(connect)
  const data = feed.declarations().content !== null && feed.askedQuestions().content !== null
  const answer = { live: true, ready: database, database: database ? 'up' : 'down', data: data ? 'present' : 'waiting' }
  return Response.json(answer, { status: database ? 200 : 503, headers })
}

/** Liveness: the event loop runs. Nothing else is checked, or an orchestrator would restart Intag during an outage. */
export function getLiveness(): Response {
  return Response.json({ live: true }, { headers })
}

/**
 * Readiness for a load balancer: 200, or 503 with the reason. An outage of the database or the service is only
 * `degraded`, because it would take out all instances at once. The lists are awaited for half a minute.
 */
export async function getReadiness({ lifecycle, connect, feed, clock }: Services): Promise<Response> {
  const phase = lifecycle.getPhase()
  const lists = [feed.askedQuestions(), feed.declarations()]
  const isListPending = lists.some(({ content, problem }) => content === null && problem === null)
  const isEarly = phase === 'up' && isListPending && clock.monotonic() < 30_000
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

import { DATABASE_AWAY, REASON_HEADER } from '@/lib/contract/headers'
import { probeDatabase } from '@/server/base/database'
import type { Services } from '@/server/base/services'

/** Answers 503 only without the database, because without the lists Intag can still show what is wrong. */
export async function getHealth({ connect, feed }: Services): Promise<Response> {
  const ready = await probeDatabase(connect)
  const hasLists = feed.declarations().content !== null && feed.askedQuestions().content !== null
  return respond(ready, { live: true, ready, database: ready ? 'up' : 'down', data: hasLists ? 'present' : 'waiting' })
}

/** Liveness: the event loop runs. Nothing else is checked, or an orchestrator would restart Intag during an outage. */
export function getLiveness(): Response {
  return respond(true, { live: true })
}

/** After this time an instance is ready even without its first lists, because the service may be away for long. */
const LISTS_TIMEOUT_MS = 30_000
const PHASE_REASONS = {
  draining: 'Intag is closing',
  starting: 'Intag is starting',
  waiting: 'Intag waits for the database',
}

/** Readiness, for a load balancer. A fault that all instances share, such as an outage, is only `degraded`. */
export async function getReadiness({ lifecycle, connect, feed, clock }: Services): Promise<Response> {
  const phase = lifecycle.getPhase()
  const lists = [feed.askedQuestions(), feed.declarations()]
  const isListPending = lists.some(({ content, problem }) => content === null && problem === null)
  const reasons: string[] = []
  if (phase !== 'up') reasons.push(PHASE_REASONS[phase])
  else if (isListPending && clock.monotonic() < LISTS_TIMEOUT_MS) reasons.push('The lists have not been read yet')
  const degraded: string[] = []
  if (phase === 'up' && !(await probeDatabase(connect))) degraded.push('The database cannot be reached')
  if (lists.some(({ content }) => content === null)) degraded.push('A list has no content yet')
  if (lists.some(({ problem }) => problem !== null))
    degraded.push('A list cannot be read from the service at the moment')
  const ready = reasons.length === 0
  const answer = { ready, phase, reasons, degraded }
  // While Intag starts, every route gives this answer, so it then has the fields of an error.
  if (!lifecycle.isStarting()) return respond(ready, answer)
  const reasonHeader = phase === 'waiting' && { [REASON_HEADER]: DATABASE_AWAY }
  return respond(false, { error: reasons[0], ...answer }, { 'retry-after': '3', ...reasonHeader })
}

function respond(isReady: boolean, answer: object, headers: Record<string, string> = {}) {
  return Response.json(answer, { status: isReady ? 200 : 503, headers: { 'cache-control': 'no-store', ...headers } })
}

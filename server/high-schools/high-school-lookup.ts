import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import type { UpstreamClient } from '@/server/upstream/client'

export type LookupAnswer =
  | { kind: 'found'; highSchool: HighSchool }
  | { kind: 'unknown' }
  | { kind: 'not-now'; retryAfterSeconds: number }

export type HighSchoolLookup = (id: string) => Promise<LookupAnswer>

/** An answer holds this long, so that asking again and again costs the service nothing. */
const KEPT_MS = 60_000
const MOST_KEPT = 500

/** Asks the service for one school: once however many ask at the same time, and not again within a minute. */
export function createHighSchoolLookup(options: {
  client: Pick<UpstreamClient, 'fetchHighSchool'>
  now: () => number
}): HighSchoolLookup {
  const kept = new Map<string, { answer: Promise<LookupAnswer>; until: number }>()
  return (id) => {
    const now = options.now()
    const known = kept.get(id)
    if (known && known.until > now) return known.answer
    const answer = ask(options.client, id, now)
    kept.delete(id)
    kept.set(id, { answer, until: now + KEPT_MS })
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
    }
    void answer.then(({ kind }) => kind === 'not-now' && kept.delete(id))
    return answer
  }
}

async function ask(client: Pick<UpstreamClient, 'fetchHighSchool'>, id: string, now: number): Promise<LookupAnswer> {
  const outcome = await client.fetchHighSchool(id)
  if (outcome.ok) return { kind: 'found', highSchool: outcome.highSchool }
  switch (outcome.kind) {
    case 'not-found':
      return { kind: 'unknown' }
    case 'no-budget':
      return { kind: 'not-now', retryAfterSeconds: seconds(outcome.retryAtMs - now) }
    case 'unauthenticated':
    case 'unauthorized':
    case 'rate-limited':
    case 'unavailable':
    case 'unreadable':
      return { kind: 'not-now', retryAfterSeconds: seconds(outcome.retryAfterMs ?? 5_000) }
    default:
      return outcome satisfies never
  }
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

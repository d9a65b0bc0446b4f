import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import { swedishSortKey } from '@/lib/leads/comparable-text'
import { type Allowed, maySee } from '@/server/access/viewer'
import { NotFoundError, NotReadyError } from '@/server/base/errors'
import { currentSnapshot, knownSchools } from '@/server/feed/feed'
import type { Services } from '@/server/base/services'
import { createLruCache } from '@/server/base/lru-cache'
import type { UpstreamClient } from '@/server/feed/client'

export async function listHighSchools({ feed }: Services, viewer: Allowed<'interest:read'>) {
  const { content, snapshot } = await currentSnapshot(feed, feed.highSchools)
  return { highSchools: content.highSchools.filter((school) => maySee(viewer, school.id)), snapshot }
}

/** Only a school in scope. NotFoundError, or NotReadyError when the service cannot be asked. */
export async function getHighSchool(
  { feed, highSchoolLookup }: Services,
  viewer: Allowed<'interest:read'>,
  { id }: { id: string },
): Promise<HighSchool> {
  if (!maySee(viewer, id)) throw new NotFoundError()
  feed.markWatched()
  const listed = knownSchools({ feed }).find((school) => school.id === id)
  if (listed) return listed
  const found = await highSchoolLookup(id)
  if (found.kind === 'found') return found.highSchool
  if (found.kind === 'unknown') throw new NotFoundError()
  throw new NotReadyError('The school cannot be looked up right now', found.retryAfterSeconds)
}

export function schoolSortKeys(services: Services): (highSchoolId: string) => string {
  const names = new Map(knownSchools(services).map(({ id, name }) => [id, name]))
  return (id) => swedishSortKey(names.get(id) ?? id)
}

type LookupAnswer =
  | { kind: 'found'; highSchool: HighSchool }
  | { kind: 'unknown' }
  | { kind: 'not-now'; retryAfterSeconds: number }

const CACHE_MS = 60_000
const MAX_ANSWERS = 500

type LookupOptions = { client: Pick<UpstreamClient, 'fetchHighSchool'>; now: () => number }

/** Asks the service once however many ask, and not again within a minute. */
export function createHighSchoolLookup({ client, now }: LookupOptions) {
  const answers = createLruCache<{ answer: Promise<LookupAnswer>; until: number }>(
    MAX_ANSWERS,
    ({ until }) => until <= now(),
  )
  return (id: string): Promise<LookupAnswer> => {
    const cached = answers.get(id)
    if (cached) return cached.answer
    const startedAt = now()
    const answer = client.fetchHighSchool(id).then((outcome): LookupAnswer => {
      if (outcome.ok) return { kind: 'found', highSchool: outcome.highSchool }
      if (outcome.kind === 'not-found') return { kind: 'unknown' }
      const waitMs = outcome.kind === 'no-budget' ? outcome.retryAtMs - startedAt : (outcome.retryAfterMs ?? 5_000)
      answers.delete(id)
      return { kind: 'not-now', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
    })
    answers.set(id, { answer, until: startedAt + CACHE_MS })
    return answer
  }
}

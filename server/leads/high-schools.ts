import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import { swedishSortKey } from '@/lib/leads/comparable-text'
import { type Allowed, maySeeSchool } from '@/server/access/viewer'
import { NotFoundError, NotReadyError } from '@/server/base/errors'
import { createLruCache } from '@/server/base/lru-cache'
import type { Services } from '@/server/base/services'
import type { UpstreamClient } from '@/server/feed/client'
import { readKnownSchools, readSnapshot } from '@/server/feed/feed'

export async function listHighSchools({ feed, now }: Services, viewer: Allowed<'interest:read'>) {
  const { content, snapshot } = await readSnapshot({ feed, now }, feed.highSchools)
  return { highSchools: content.highSchools.filter((school) => maySeeSchool(viewer, school.id)), snapshot }
}

/** Returns a school in scope. Throws NotFoundError for any other, NotReadyError if the service cannot be asked now. */
export async function getHighSchool(services: Services, viewer: Allowed<'interest:read'>, { id }: { id: string }) {
  if (!maySeeSchool(viewer, id)) throw new NotFoundError()
  services.feed.markWatched()
  const listed = readKnownSchools(services).find((school) => school.id === id)
  return listed ?? services.highSchoolLookup(id)
}

export function createSchoolSortKey(services: Services): (highSchoolId: string) => string {
  const names = new Map(readKnownSchools(services).map(({ id, name }) => [id, name]))
  return (id) => swedishSortKey(names.get(id) ?? id)
}

const CACHE_MS = 60_000
const MAX_ANSWERS = 500

/** Callers share one request, and its answer for a minute unless the service failed. Rejects like `getHighSchool`. */
export function createHighSchoolLookup(client: Pick<UpstreamClient, 'fetchHighSchool'>, now: () => number) {
  type CachedAnswer = { school: Promise<HighSchool>; expiresAt: number }
  const answers = createLruCache<CachedAnswer>(MAX_ANSWERS, ({ expiresAt }) => expiresAt <= now())
  return (id: string): Promise<HighSchool> => {
    const cached = answers.get(id)
    if (cached) return cached.school
    const startedAt = now()
    const school = client.fetchHighSchool(id).then((answer) => {
      if (answer.ok) return answer.highSchool
      if (answer.kind === 'not-found') throw new NotFoundError()
      answers.delete(id)
      const waitMs = answer.kind === 'no-budget' ? answer.retryAtMs - startedAt : (answer.retryAfterMs ?? 5_000)
      throw new NotReadyError('The school cannot be looked up right now', Math.max(1, Math.ceil(waitMs / 1000)))
    })
    answers.set(id, { school, expiresAt: startedAt + CACHE_MS })
    return school
  }
}

import type { HighSchool } from '@/lib/contract/lead'
import { toSwedishSortKey } from '@/lib/leads/swedish-sort-key'
import { type Allowed, maySeeSchool } from '@/server/access/viewer'
import { NotFoundError, NotReadyError } from '@/server/base/errors'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import type { BaseServices, Services } from '@/server/base/services'
import { readKnownSchools, readSnapshot } from '@/server/feed/feed'
import type { FeedServices } from '@/server/feed/services'

/** Lists the schools in scope, in Swedish order. Throws NotReadyError before the service's first answer. */
export async function listHighSchools({ feed, now }: Services, viewer: Allowed<'interest:read'>) {
  const { content, snapshot } = await readSnapshot({ feed, now }, feed.highSchools)
  return { highSchools: content.highSchools.filter((school) => maySeeSchool(viewer, school.id)), snapshot }
}

/** Returns a school in scope. Throws NotFoundError for any other, NotReadyError if the service cannot be asked now. */
export async function getHighSchool(services: Services, viewer: Allowed<'interest:read'>, { id }: { id: string }) {
  if (!maySeeSchool(viewer, id)) throw new NotFoundError()
  services.feed.markWatched()
  const listed = readKnownSchools(services).find((school) => school.id === id)
  const school = listed ?? (await services.highSchoolLookup(id))
  if (school === null) throw new NotFoundError()
  return school
}

/** Creates a function from a school's id to the sort key of its name, in Swedish order. */
export function createSchoolSortKey(services: Services): (highSchoolId: string) => string {
  const toName = createSchoolNamer(services)
  return (id) => toSwedishSortKey(toName(id))
}

/** A school that the service does not list is named by its id. */
export function createSchoolNamer(services: Services): (highSchoolId: string) => string {
  const names = new Map(readKnownSchools(services).map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}

const LOOKUP_TTL_MS = 60_000
const MAX_LOOKUPS = 500
const RETRY_MS = 5_000

/** Looks a school up in the service, once a minute for all callers; null if the service has none of this id. */
export function createHighSchoolLookup({ client, now }: BaseServices & FeedServices) {
  const read = async (id: string): Promise<HighSchool | null> => {
    const startedAt = now()
    const answer = await client.fetchHighSchool(id)
    if (answer.ok) return answer.highSchool
    if (answer.kind === 'not-found') return null
    const waitMs = answer.kind === 'no-budget' ? answer.retryAtMs - startedAt : (answer.retryAfterMs ?? RETRY_MS)
    throw new NotReadyError('The school cannot be looked up right now', Math.max(1, Math.ceil(waitMs / 1000)))
  }
  return createInvalidatedCache({ read, ttlMs: () => LOOKUP_TTL_MS, now, maxEntries: MAX_LOOKUPS }).get
}

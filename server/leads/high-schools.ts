import 'server-only'
import type { HighSchool, HighSchoolsAnswer } from '@/lib/contract/lead'
import { swedishSortKey } from '@/lib/leads/comparable-text'
import { type Allowed, maySee } from '@/server/access/viewer'
import { NotFoundError, NotReadyError } from '@/server/errors'
import { type Feed, currentSnapshot } from '@/server/feed/feed'
import type { UpstreamClient } from '@/server/upstream/client'

type SchoolFeed = { feed: Pick<Feed, 'markWatched' | 'ready' | 'highSchools'> }

/** The viewer's schools in Swedish order. Throws NotReadyError while the service has never answered. */
export async function listHighSchools(
  { feed }: SchoolFeed,
  viewer: Allowed<'interest:read'>,
): Promise<HighSchoolsAnswer> {
  const { content, snapshot } = await currentSnapshot(feed, feed.highSchools)
  return { highSchools: content.highSchools.filter((school) => maySee(viewer, school.id)), snapshot }
}

/**
 * One school. From memory when the list has it; otherwise the service is asked, but only for a school the viewer may see,
 * and not again for an id it did not know a moment ago. Throws NotFoundError, or NotReadyError when it cannot be asked.
 */
export async function getHighSchool(
  { feed, highSchoolLookup }: SchoolFeed & { highSchoolLookup: HighSchoolLookup },
  viewer: Allowed<'interest:read'>,
  { id }: { id: string },
): Promise<HighSchool> {
  if (!maySee(viewer, id)) throw new NotFoundError()
  feed.markWatched()
  const listed = knownSchools({ feed }).find((school) => school.id === id)
  if (listed) return listed
  const found = await highSchoolLookup(id)
  switch (found.kind) {
    case 'found':
      return found.highSchool
    case 'unknown':
      throw new NotFoundError()
    case 'not-now':
      throw new NotReadyError('The school cannot be looked up right now', found.retryAfterSeconds)
    default:
      return found satisfies never
  }
}

export type SchoolParts = { feed: Pick<Feed, 'highSchools'> }

/** Every school the service listed last; none before its first answer. */
export function knownSchools({ feed }: SchoolParts): readonly HighSchool[] {
  return feed.highSchools().content?.highSchools ?? []
}

/** Answers the key to order a school by: its name, or its id when the service does not list it. */
export function schoolSortKeys(parts: SchoolParts): (highSchoolId: string) => string {
  const names = new Map(knownSchools(parts).map(({ id, name }) => [id, name]))
  return (id) => swedishSortKey(names.get(id) ?? id)
}

type LookupAnswer =
  | { kind: 'found'; highSchool: HighSchool }
  | { kind: 'unknown' }
  | { kind: 'not-now'; retryAfterSeconds: number }

type HighSchoolLookup = (id: string) => Promise<LookupAnswer>

/** An answer holds this long, so that asking again and again costs the service nothing. */
const CACHE_MS = 60_000
const MOST_ANSWERS = 500

/** Asks the service for one school: once however many ask at the same time, and not again within a minute. */
export function createHighSchoolLookup(options: {
  client: Pick<UpstreamClient, 'fetchHighSchool'>
  now: () => number
}): HighSchoolLookup {
  const answers = new Map<string, { answer: Promise<LookupAnswer>; until: number }>()
  return (id) => {
    const now = options.now()
    const known = answers.get(id)
    if (known && known.until > now) return known.answer
    const answer = ask(options.client, id, now)
    answers.delete(id)
    answers.set(id, { answer, until: now + CACHE_MS })
    for (const oldest of answers.keys()) {
      if (answers.size <= MOST_ANSWERS) break
      answers.delete(oldest)
    }
    void answer.then(({ kind }) => kind === 'not-now' && answers.delete(id))
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

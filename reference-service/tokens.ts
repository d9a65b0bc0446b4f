import type { HighSchool } from './specification'
import type { Grant, SchoolScope, ServiceData } from './store'

/** The grant of the request's bearer token; undefined when there is none, it is malformed or unknown. */
export function authenticate(
  authorization: string | null,
  tokens: ReadonlyMap<string, Grant>,
): { token: string; grant: Grant } | undefined {
  const token = bearerToken(authorization)
  const grant = token === undefined ? undefined : tokens.get(token)
  return token !== undefined && grant ? { token, grant } : undefined
}

/** RFC 9110, 11.1: the scheme's name is case-insensitive; RFC 6750, 2.1: one token follows it. */
function bearerToken(authorization: string | null): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1]
}

export type PermittedScope = Exclude<SchoolScope, 'none'>

/** A list as a scope sees it; `all` also reaches a lead whose school is not in the list of schools. */
export function listWithin<List extends keyof ServiceData>(data: ServiceData, list: List, scope: PermittedScope) {
  const items: readonly ServiceData[List][number][] = data[list]
  if (scope === 'all') return items
  const ids = new Set(scope)
  return items.filter((item) => ids.has('highSchoolId' in item ? item.highSchoolId : item.id))
}

/** The tokens that exist unless a data file names others; the same for the same seed, so that scripts can rely on them. */
export function seededTokens(seed: number): { all: string; some: string; none: string } {
  return { all: `all-${seed}`, some: `some-${seed}`, none: `none-${seed}` }
}

/** All schools; the first half of them, but at least one; and a token that is known but not permitted. */
export function grantsFor(
  { all, some, none }: { all: string; some: string; none: string },
  schools: readonly HighSchool[],
): Map<string, Grant> {
  const half = schools.slice(0, Math.max(1, schools.length >> 1)).map(({ id }) => id)
  return new Map<string, Grant>([
    [all, { label: 'all', schools: 'all' }],
    [some, { label: 'some', schools: half }],
    [none, { label: 'none', schools: 'none' }],
  ])
}

/** A token of each kind, null where a data file has none. */
type TokenSamples = { all: string | null; some: string | null; none: string | null }

/** The first token of each kind. */
export function sampleTokens(grants: ReadonlyMap<string, Grant>): TokenSamples {
  const first = (wanted: (schools: Grant['schools']) => boolean) =>
    [...grants].find(([, { schools }]) => wanted(schools))?.[0] ?? null
  return {
    all: first((schools) => schools === 'all'),
    some: first((schools) => typeof schools !== 'string'),
    none: first((schools) => schools === 'none'),
  }
}

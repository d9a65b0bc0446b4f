import type { Grant, HighSchool } from '../model'

/** A token of each kind, null where a data file has none. */
export type TokenSamples = { all: string | null; some: string | null; none: string | null }

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

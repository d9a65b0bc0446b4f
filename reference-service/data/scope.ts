import type { HighSchool, SchoolScope, ServiceData } from '../model'

export type PermittedScope = Exclude<SchoolScope, 'none'>

/** The schools that a scope reaches, in the order of the list. */
export function schoolsWithin({ highSchools }: ServiceData, scope: PermittedScope): readonly HighSchool[] {
  return scope === 'all' ? highSchools : highSchools.filter(({ id }) => scope.includes(id))
}

/** The leads of a scope's schools; `all` also reaches a lead whose school is not in the list of schools. */
export function leadsWithin<L extends { highSchoolId: string }>(
  leads: readonly L[],
  scope: PermittedScope,
): readonly L[] {
  if (scope === 'all') return leads
  const ids = new Set(scope)
  return leads.filter(({ highSchoolId }) => ids.has(highSchoolId))
}

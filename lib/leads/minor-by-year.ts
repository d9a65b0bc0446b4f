/** What an enrollment year tells about age. */
export type Minor = 'under-16' | 'may-be-under-16'

/** Nobody declares an interest earlier than at birth; a year beyond is a slip of the pen and tells nothing. */
const PLAUSIBLE_YEARS = 16

/**
 * Pupils begin high school in the autumn of the year they turn 16 (Swedish Education Act 2010:800, chapters 7 and 15): before
 * that year they are under 16, during it they may be. Null for everyone else and for questions, which have no year.
 */
export function minorByYear(enrollmentYear: number | null, thisYear: number): Minor | null {
  if (enrollmentYear === null || enrollmentYear < thisYear || enrollmentYear > thisYear + PLAUSIBLE_YEARS) return null
  return enrollmentYear === thisYear ? 'may-be-under-16' : 'under-16'
}

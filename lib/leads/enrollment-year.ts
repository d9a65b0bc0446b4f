/** Lists the years of a filter: from last year to four years ahead, and those of leads and the filter itself. */
export function listYearChoices(thisYear: number, otherYears: readonly number[]): number[] {
  const nearYears = [-1, 0, 1, 2, 3, 4].map((yearsAhead) => thisYear + yearsAhead)
  return [...new Set([...nearYears, ...otherYears])].toSorted((a, b) => a - b)
}

/** Years outside this range are typing errors or tests. */
export function isPlausibleYear(year: number, thisYear: number): boolean {
  return year >= thisYear - 4 && year <= thisYear + 5
}

/** High school begins in the autumn of the year one turns 16 (Swedish Education Act 2010:800, chapters 7 and 15). */
export function classifyMinor(enrollmentYear: number | null, thisYear: number): 'under-16' | 'may-be-under-16' | null {
  // Pupils of later years are not born yet.
  if (enrollmentYear === null || enrollmentYear < thisYear || enrollmentYear > thisYear + 16) return null
  return enrollmentYear === thisYear ? 'may-be-under-16' : 'under-16'
}

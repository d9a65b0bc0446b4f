/** Lists the years that a filter offers: near ones, and those of leads or the filter. `others` are implausible. */
export function listYearChoices(thisYear: number, counted: readonly number[], chosen: readonly number[]) {
  const near = [-1, 0, 1, 2, 3, 4].map((ahead) => thisYear + ahead)
  const years = [...new Set([...near, ...counted, ...chosen])].toSorted((a, b) => a - b)
  const isYear = (year: number) => isPlausibleYear(year, thisYear)
  return { years: years.filter(isYear), others: years.filter((year) => !isYear(year)) }
}

/** Other years are typing errors or tests. */
export function isPlausibleYear(year: number, thisYear: number): boolean {
  return year >= thisYear - 4 && year <= thisYear + 5
}

/** High school begins in the autumn of the year one turns 16 (Swedish Education Act 2010:800, chapters 7 and 15). */
export function classifyMinor(enrollmentYear: number | null, thisYear: number): 'under-16' | 'may-be-under-16' | null {
  if (enrollmentYear === null || enrollmentYear < thisYear || enrollmentYear > thisYear + 16) return null
  return enrollmentYear === thisYear ? 'may-be-under-16' : 'under-16'
}

import type { HighSchool } from '@/lib/contract/lead'

export type InterestCounts = {
  byYearAndSchool: readonly { highSchoolId: string; year: number | null; declarations: number }[]
  questionsBySchool: readonly { highSchoolId: string; questions: number }[]
  highSchools: readonly HighSchool[]
}

type Row = { declarations: readonly number[]; otherYears: number; total: number; questions: number }
export type InterestGrid = {
  /** Ascending; a column each. */
  years: readonly number[]
  hasOtherYears: boolean
  schools: readonly (Row & { id: string; name: string })[]
  total: Row
}

const yearsBack = 6
const yearsAhead = 5

/**
 * A row for each school and a column for each plausible enrollment year; missing and absurd years (typing errors,
 * test data) are gathered in one. `only`: the chosen schools, none meaning all.
 */
export function interestGrid(counts: InterestCounts, thisYear: number, only: readonly string[]): InterestGrid {
  const isChosen = (id: string) => only.length === 0 || only.includes(id)
  const declared = counts.byYearAndSchool.filter(({ highSchoolId }) => isChosen(highSchoolId))
  const asked = counts.questionsBySchool.filter(({ highSchoolId }) => isChosen(highSchoolId))
  const isPlausible = (year: number | null): year is number =>
    year !== null && year >= thisYear - yearsBack && year <= thisYear + yearsAhead
  const years = [...new Set(declared.map(({ year }) => year).filter(isPlausible))].toSorted((a, b) => a - b)

  const rowOf = (isIn: (id: string) => boolean): Row => {
    const here = declared.filter(({ highSchoolId }) => isIn(highSchoolId))
    const sumOf = (wanted: (year: number | null) => boolean) =>
      here.reduce((sum, { year, declarations }) => (wanted(year) ? sum + declarations : sum), 0)
    return {
      declarations: years.map((column) => sumOf((year) => year === column)),
      otherYears: sumOf((year) => !isPlausible(year)),
      total: sumOf(() => true),
      questions: asked.reduce((sum, { highSchoolId, questions }) => (isIn(highSchoolId) ? sum + questions : sum), 0),
    }
  }
  const total = rowOf(() => true)
  return {
    years,
    hasOtherYears: total.otherYears > 0,
    schools: namedSchools(counts, isChosen).map(({ id, name }) => ({ id, name, ...rowOf((other) => other === id) })),
    total,
  }
}

/** A school that leads name but the list of schools does not goes by its id, last: nothing is dropped. */
function namedSchools(
  { highSchools, byYearAndSchool, questionsBySchool }: InterestCounts,
  isChosen: (id: string) => boolean,
) {
  const known = new Set(highSchools.map(({ id }) => id))
  const named = [...byYearAndSchool, ...questionsBySchool].map(({ highSchoolId }) => highSchoolId)
  const unknown = [...new Set(named.filter((id) => !known.has(id)))].toSorted()
  return [...highSchools, ...unknown.map((id) => ({ id, name: id }))].filter(({ id }) => isChosen(id))
}

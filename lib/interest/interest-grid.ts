import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import { foldText } from '@/lib/leads/comparable-text'
import { isPlausibleYear } from '@/lib/contract/lists'
import { sizeOf } from './axis'
import type { CountLine, InterestCounts, InUnits, Unit } from './interest-counts'

export type GridRow = {
  cells: readonly InUnits<Count>[]
  /** Years that are missing or cannot be right. People of several such years count once for each. */
  other: InUnits<Count>
  total: InUnits<Count>
  questions: Count
}
export type SchoolRow = GridRow & HighSchool
export type InterestGrid = {
  years: readonly number[]
  hasOtherYears: boolean
  schools: readonly SchoolRow[]
  total: GridRow
}

const NONE: InUnits = { declarations: 0, people: 0 }
const NO_LINE: CountLine = { years: [], total: NONE, questions: 0 }

/** A school that leads name but the service does not list goes by its id, last: nothing is dropped. */
export function interestGrid(
  counts: Pick<InterestCounts, 'bySchool' | 'total'>,
  schools: readonly HighSchool[],
  { thisYear, cohort }: { thisYear: number; cohort: number },
): InterestGrid {
  const isColumn = (year: number | null): year is number => year === cohort || isPlausibleYear(year, thisYear)
  const foundYears = counts.total.years.map(({ year }) => year)
  const years = [...new Set([cohort, ...foundYears.filter(isColumn)])].toSorted((a, b) => a - b)
  const rowOf = ({ years: found, total, questions }: CountLine): GridRow => {
    const byYear = new Map(found.map(({ year, ...count }) => [year, count]))
    const others = found.filter(({ year }) => !isColumn(year))
    return { cells: years.map((year) => byYear.get(year) ?? NONE), other: others.reduce(plus, NONE), total, questions }
  }
  const lines = new Map(counts.bySchool.map((line) => [line.highSchoolId, line]))
  const listed = new Set(schools.map(({ id }) => id))
  const unlisted = [...lines.keys()].filter((id) => !listed.has(id)).toSorted()
  return {
    years,
    hasOtherYears: !foundYears.every(isColumn),
    schools: [...schools, ...unlisted.map((id) => ({ id, name: id }))].map(({ id, name }) => ({
      id,
      name,
      ...rowOf(lines.get(id) ?? NO_LINE),
    })),
    total: rowOf(counts.total),
  }
}

function plus(sum: InUnits, { declarations, people }: InUnits): InUnits {
  return { declarations: sum.declarations + declarations, people: sum.people + people }
}

/** The largest number of a school's year, at least 1: it is drawn darkest. */
export function largestCell({ schools }: InterestGrid, unit: Unit): number {
  return schools.reduce((max, { cells }) => Math.max(max, ...cells.map((count) => sizeOf(count[unit]))), 1)
}

export type GridColumn = { name: number | 'other' | 'total' | 'questions'; countOf: (row: GridRow) => Count }

export function gridColumns({ years, hasOtherYears }: InterestGrid, unit: Unit): GridColumn[] {
  return [
    ...years.map((name, place) => ({ name, countOf: ({ cells }: GridRow) => cells[place]?.[unit] ?? 0 })),
    ...(hasOtherYears ? [{ name: 'other' as const, countOf: ({ other }: GridRow) => other[unit] }] : []),
    { name: 'total', countOf: ({ total }) => total[unit] },
    { name: 'questions', countOf: ({ questions }) => questions },
  ]
}

/** The schools whose names hold a text: in the server's order, or by a column with the largest number first. */
export function orderedSchools(schools: readonly SchoolRow[], by: GridColumn | undefined, search: string): SchoolRow[] {
  const wanted = foldText(search.trim())
  const found = schools.filter(({ name }) => foldText(name).includes(wanted))
  return by === undefined ? found : found.toSorted((a, b) => sizeOf(by.countOf(b)) - sizeOf(by.countOf(a)))
}

import type { Count } from '@/lib/interest/interest-counts'
import type { SchoolRow } from '@/lib/interest/interest-grid'
import type { Unit } from '@/lib/interest/interest-page'
import { foldText } from '@/lib/leads/fold-text'

/** A column to order by: the name, the sum, years that cannot be right, the questions, or a year. */
export type GridOrder = 'name' | 'total' | 'other' | 'questions' | number

/** The schools whose names hold a text, as ordered: names as the server has them, numbers with the largest first. */
export function orderedSchools(
  schools: readonly SchoolRow[],
  { order, years, unit, search }: { order: GridOrder; years: readonly number[]; unit: Unit; search: string },
): SchoolRow[] {
  const wanted = foldText(search.trim())
  const found = schools.filter(({ name }) => foldText(name).includes(wanted))
  if (order === 'name') return found
  const column = typeof order === 'number' ? years.indexOf(order) : -1
  const numberOf = (row: SchoolRow): number => {
    if (order === 'questions') return row.questions
    const count: Count | undefined = order === 'total' ? row.total : order === 'other' ? row.other : row.cells[column]
    return count?.[unit] ?? 0
  }
  return found.toSorted((a, b) => numberOf(b) - numberOf(a))
}

import { describe, expect, it } from 'vitest'
import type { InterestCounts } from './interest-counts'
import { gridColumns, interestGrid, largestCell, orderedSchools } from './interest-grid'

const both = (declarations: number, people = declarations) => ({ declarations, people })
const of = (year: number | null, declarations: number, people = declarations) => ({
  year,
  ...both(declarations, people),
})
const counts: Pick<InterestCounts, 'bySchool' | 'total'> = {
  bySchool: [
    { highSchoolId: 'n', years: [of(2027, 3, 2), of(20_027, 1), of(null, 4)], total: both(8, 7), questions: 9 },
    { highSchoolId: 's', years: [of(2027, 5)], total: both(5), questions: 1 },
    { highSchoolId: 'closed', years: [of(2028, 7)], total: both(7), questions: 0 },
  ],
  total: { years: [of(2027, 8, 6), of(2028, 7), of(20_027, 1), of(null, 4)], total: both(20, 15), questions: 10 },
}
const schools = [
  { id: 'n', name: 'Norra' },
  { id: 's', name: 'Södra' },
  { id: 't', name: 'Tysta' },
]

describe('the table of years and schools', () => {
  const grid = interestGrid(counts, schools, { thisYear: 2026, cohort: 2027 })

  it('has a column for each plausible year and one for the rest', () => {
    expect(grid.years).toEqual([2027, 2028])
    expect(grid.hasOtherYears).toBe(true)
    expect(grid.schools[0]?.other).toEqual(both(5))
  })

  it('has the chosen cohort among its columns, whether anybody is in it or not', () => {
    expect(interestGrid(counts, schools, { thisYear: 2026, cohort: 2025 }).years).toEqual([2025, 2027, 2028])
  })

  it('has a row for each school, also without leads; a school that is not listed comes last by its id', () => {
    expect(grid.schools.map(({ name, total, questions }) => [name, total.declarations, questions])).toEqual([
      ['Norra', 8, 9],
      ['Södra', 5, 1],
      ['Tysta', 0, 0],
      ['closed', 7, 0],
    ])
  })

  it('has exact sums, in which a person of two schools is one', () => {
    expect(grid.total).toEqual({ cells: [both(8, 6), both(7)], other: both(5), total: both(20, 15), questions: 10 })
  })

  it('is ordered by a number with the largest first, and "<5" is between none and five', () => {
    const few = {
      ...grid,
      schools: grid.schools.map((row) => (row.id === 's' ? { ...row, questions: '<5' as const } : row)),
    }
    const column = gridColumns(few, 'people').find(({ name }) => name === 'questions')
    expect(orderedSchools(few.schools, column, '').map(({ questions }) => questions)).toEqual([9, '<5', 0, 0])
    expect(largestCell(grid, 'declarations')).toBe(7)
  })
})

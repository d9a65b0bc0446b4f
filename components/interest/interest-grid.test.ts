import { describe, expect, it } from 'vitest'
import { interestGrid } from './interest-grid'

const counts = {
  highSchools: [
    { id: 'n', name: 'Norra' },
    { id: 's', name: 'Södra' },
    { id: 't', name: 'Tysta' },
  ],
  byYearAndSchool: [
    { highSchoolId: 's', year: 2027, declarations: 5 },
    { highSchoolId: 'n', year: 2028, declarations: 2 },
    { highSchoolId: 'n', year: 2027, declarations: 3 },
    { highSchoolId: 'n', year: 20_027, declarations: 1 },
    { highSchoolId: 'n', year: null, declarations: 4 },
    { highSchoolId: 'closed', year: 2027, declarations: 7 },
  ],
  questionsBySchool: [
    { highSchoolId: 'n', questions: 9 },
    { highSchoolId: 's', questions: 1 },
  ],
}

describe('the table of interest', () => {
  const grid = interestGrid(counts, 2026, [])

  it('has a column for each plausible year, in order, and one for the rest', () => {
    expect(grid.years).toEqual([2027, 2028])
    expect(grid.hasOtherYears).toBe(true)
  })

  it('has a row for each school in the order of the list, also without leads; unknown schools come last', () => {
    expect(grid.schools).toEqual([
      { id: 'n', name: 'Norra', declarations: [3, 2], otherYears: 5, total: 10, questions: 9 },
      { id: 's', name: 'Södra', declarations: [5, 0], otherYears: 0, total: 5, questions: 1 },
      { id: 't', name: 'Tysta', declarations: [0, 0], otherYears: 0, total: 0, questions: 0 },
      { id: 'closed', name: 'closed', declarations: [7, 0], otherYears: 0, total: 7, questions: 0 },
    ])
  })

  it('adds up', () => {
    expect(grid.total).toEqual({ declarations: [15, 2], otherYears: 5, total: 22, questions: 10 })
  })

  it('narrows rows, columns and totals to the chosen schools', () => {
    const chosen = interestGrid(counts, 2026, ['s'])
    expect(chosen).toMatchObject({ years: [2027], hasOtherYears: false, total: { total: 5, questions: 1 } })
    expect(chosen.schools.map(({ id }) => id)).toEqual(['s'])
  })

  it('takes six years back and five ahead for plausible', () => {
    const years = [2019, 2020, 2031, 2032].map((year) => ({ highSchoolId: 'n', year, declarations: 1 }))
    expect(interestGrid({ ...counts, byYearAndSchool: years }, 2026, []).years).toEqual([2020, 2031])
  })
})

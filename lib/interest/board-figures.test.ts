import { expect, test } from 'vitest'
import { createBoardFigures } from './board-figures'

const season = { countSoFar: 12, countYearBefore: '<5', totalYearBefore: 30, change: 0.123 } as const
const work = { waitingCount: 3, lateCount: 1, judgedCount: 40, withinGoalShare: 0.875 }
const total = { ...season, ...work, forecast: { low: 20, high: 28, years: [2025] } }
const empty = { countSoFar: 0, countYearBefore: null, totalYearBefore: null, change: null, forecast: null }
const noWork = { waitingCount: 0, lateCount: 0, judgedCount: 0, withinGoalShare: null }
const norra = { ...empty, ...noWork, school: { id: 'n', name: 'Norra' } }
const sodra = { ...total, school: { id: 's', name: 'Södra' } }
const t = ((key: string) => key) as Parameters<typeof createBoardFigures>[1]

test('the file has all schools and each, shares in percent, and nothing late before the first day of work', () => {
  const page = { board: { total, schools: [norra, sodra] }, isCurrentCohort: true, hasWorkStart: false }
  const { columns, rows } = createBoardFigures(page, t)
  expect(columns.slice(-3)).toEqual(['file.waiting', 'file.late', 'file.withinGoal'])
  expect(rows).toEqual([
    ['all', 12, '<5', 12, 20, 28, 30, 3, null, 88],
    ['Norra', 0, null, null, null, null, null, 0, null, null],
    ['Södra', 12, '<5', 12, 20, 28, 30, 3, null, 88],
  ])
})

test('the only school has no row for all, and an earlier cohort nothing of the work', () => {
  const page = { board: { total, schools: [sodra] }, isCurrentCohort: false, hasWorkStart: true }
  expect(createBoardFigures(page, t).rows).toEqual([['Södra', 12, '<5', 12, 20, 28, 30]])
})

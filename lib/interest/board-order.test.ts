import { expect, test } from 'vitest'
import type { SchoolOnBoard } from './board'
import { type BoardColumn, orderedRows } from './board-order'

const row = (name: string, part: Partial<SchoolOnBoard>): SchoolOnBoard => ({
  school: { id: name, name },
  now: 10,
  before: null,
  beforeInAll: null,
  change: null,
  forecast: null,
  waiting: 0,
  late: 0,
  judged: 0,
  withinGoal: null,
  ...part,
})
const range = (low: number, high: number) => ({ low, high, years: [2026] })
const rows = [
  row('a', { now: '<5', waiting: 40 }),
  row('b', { now: 100, change: 0.1, withinGoal: 0.95, forecast: range(90, 110), beforeInAll: 50 }),
  row('c', {
    now: 50,
    change: -0.2,
    withinGoal: 0.5,
    forecast: range(40, 60),
    beforeInAll: 100,
    late: '<5',
  }),
]

test.each<[BoardColumn, string, string]>([
  ['school', 'abc', 'cba'],
  ['now', 'acb', 'bca'],
  ['change', 'cba', 'bca'],
  ['forecast', 'cba', 'bca'],
  ['waiting', 'cab', 'bac'],
  ['withinGoal', 'cba', 'bca'],
])('by %s the worst come first, or the best; what is not known comes last', (column, worst, best) => {
  const namesOf = (isBestFirst: boolean) => orderedRows(rows, { column, isBestFirst }).map(({ school }) => school.name)
  expect([namesOf(false).join(''), namesOf(true).join('')]).toEqual([worst, best])
})

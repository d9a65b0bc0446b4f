import fc from 'fast-check'
import { createFormatter, createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import { defaultAdmissionCycle, defaultWorkSettings } from '@/lib/contract/settings'
import en from '@/lib/i18n/messages/en/interest.json'
import sv from '@/lib/i18n/messages/sv/interest.json'
import type { Board } from './board'
import type { BoardRow } from './board-rows'
import type { InterestPage } from './interest-page'
import { estimateCount, exactRounding, managerRounding } from './rounding'
import { type Clause, composeSentence, createClauseValues } from './sentence'
import { arbitraryWorld, buildBoard, COHORT, createWorld, createSteadyYears } from './testing/arbitrary-seasons'

const percentOf = ({ countSoFar, countYearBefore }: Pick<BoardRow, 'countSoFar' | 'countYearBefore'>) =>
  Math.round((estimateCount(countSoFar) / estimateCount(countYearBefore ?? 0) - 1) * 100)
const isCompared = ({ countSoFar, countYearBefore }: BoardRow) =>
  Math.min(estimateCount(countSoFar), estimateCount(countYearBefore ?? 0)) >= 25
const lateSchools = ({ schools }: Board) =>
  schools.filter((row) => estimateCount(row.judgedCount) >= 25 && (row.withinGoalShare ?? 1) < 0.9)
const rowOf = ({ schools }: Board, { school }: Clause) => schools.find((row) => row.school === school)

const isTotal = ({ count }: Clause, { total }: Board) => count === total.countSoFar

/** Each rule says from the numbers on screen, and nothing else, whether a clause is true. */
const RULES: Record<Clause['message'], (clause: Clause, board: Board) => boolean> = {
  'total.none': (_, { total }) => total.countSoFar === 0,
  'total.alone': (clause, board) => isTotal(clause, board) && board.total.change === null,
  'total.up': (clause, board) => isTotal(clause, board) && percentOf(board.total) > 6,
  'total.down': (clause, board) => isTotal(clause, board) && percentOf(board.total) < -6,
  'total.level': (clause, board) => isTotal(clause, board) && Math.abs(percentOf(board.total)) <= 6,
  'basis.change': ({ change = 0 }, { total }) => isCompared(total) && Math.round(change * 100) === percentOf(total),
  falls: (clause, board) => {
    const row = rowOf(board, clause)
    return row !== undefined && isCompared(row) && percentOf(row) < -6 && clause.change === row.change
  },
  misses: ({ school }, board) => lateSchools(board).length === 1 && lateSchools(board)[0]?.school === school,
  missesMany: (clause, board) => {
    const late = lateSchools(board)
    const own = rowOf(board, clause)?.withinGoalShare ?? 1
    return late.length === clause.count && late.length > 1 && late.every((row) => (row.withinGoalShare ?? 1) >= own)
  },
  'basis.goal': (clause, board) =>
    clause.withinGoalShare === rowOf(board, clause)?.withinGoalShare && (clause.withinGoalShare ?? 1) < 0.9,
  inTime: ({ withinGoalShare }, { total }) => withinGoalShare === total.withinGoalShare,
  'basis.target': (_, { total }) => estimateCount(total.judgedCount) >= 25,
  'basis.ends': ({ low = 0, high = 0 }, { total }) =>
    low === total.forecast?.low &&
    high === total.forecast.high &&
    low >= estimateCount(total.countSoFar) &&
    low <= high,
}

test('the sentence is never untrue, for staff and managers, whatever there is to say', () => {
  const said = new Set<string>()
  const isTrue = fc.property(arbitraryWorld, fc.constantFrom(exactRounding, managerRounding), (world, rounding) => {
    const board = buildBoard(world, { rounding })
    const { headline, basis } = composeSentence(board)
    for (const clause of [...headline, ...basis]) {
      expect(RULES[clause.message](clause, board), JSON.stringify(clause)).toBe(true)
      said.add(clause.message)
    }
  })
  fc.assert(isTrue, { numRuns: 500, seed: 7 })
  expect(Object.keys(RULES).filter((message) => !said.has(message))).toEqual([])
})

test.each([
  ['sv', sv, '30 juni'],
  ['en', en, '30 Jun'],
] as const)('clauses have the end of the cycle, signed shares and few in words (%s)', (locale, messages, end) => {
  const t = createTranslator({ locale, messages, namespace: 'sentence' })
  const valuesIn = (passedDays: number) => {
    const { goals } = defaultWorkSettings
    const cycle = { ...defaultAdmissionCycle, reservesEnd: '06-30' }
    const board = buildBoard(createWorld({ norra: createSteadyYears(10, 10) }, { passedDays }))
    const page = { cohort: COHORT, asOf: '2026-12-01', cycle, goals, board }
    return createClauseValues(page as InterestPage, { t, fewText: 'FEW', format: createFormatter({ locale }), locale })
  }
  expect(valuesIn(80)({ message: 'basis.ends' }).end).toBe(end)
  expect(valuesIn(80)({ message: 'total.alone', count: '<5' })).toMatchObject({ count: 'FEW', year: '2027' })
  const change = { message: 'basis.change', change: -0.4 } as const
  expect(valuesIn(80)(change).share).toMatch(/^−40\s?%$/)
  expect(valuesIn(80)(change).before).toBe(t('sameTime.lastYear'))
  expect(valuesIn(400)(change).before).toBe(t('before.lastYear'))
})

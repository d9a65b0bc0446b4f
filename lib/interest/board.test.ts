import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BoardColumn, isEmptyRow, type SchoolRow, sortWorstFirst } from './board-rows'
import { exactRounding, managerRounding } from './rounding'
import {
  arbitraryWorld,
  buildBoard,
  COHORT,
  listSteadyDays,
  type World,
  createWorld,
  createSteadyYears,
  findCohortDayZero,
} from './testing/arbitrary-seasons'

const days = { norra: createSteadyYears(12, 10, 10), östra: createSteadyYears(3, 5, 5) }
const world = createWorld(days, {
  work: { norra: { judgedCount: 60, metGoalCount: 57 }, östra: { waitingCount: 9, lateCount: 4 } },
})
const board = buildBoard(world)

describe('the board', () => {
  test('compares at the same point of the year, and shown counts add up', () => {
    const { total, schools } = board
    expect(schools).toMatchObject([
      { countSoFar: 960, countYearBefore: 800, totalYearBefore: 3650, change: 0.2, withinGoalShare: 0.95 },
      { countSoFar: 240, countYearBefore: 400, totalYearBefore: 1825, change: -0.4, withinGoalShare: null },
    ])
    const counts = { countSoFar: 1200, countYearBefore: 1200, totalYearBefore: 5475, change: 0 }
    expect(total).toMatchObject({ ...counts, waitingCount: 9, lateCount: 4, withinGoalShare: 0.95 })
  })

  test('has an empty row where a school has no declaration of two years, and nothing to answer', () => {
    const own = {
      norra: createSteadyYears(1, 0),
      södra: createSteadyYears(0, 1),
      östra: createSteadyYears(0, 0),
      björkängen: createSteadyYears(0, 0),
    }
    const { schools } = buildBoard(createWorld(own, { work: { östra: { waitingCount: 1 } } }))
    expect(schools.filter(isEmptyRow).map(({ school }) => school.id)).toEqual(['björkängen'])
  })

  test('is one for a school, on a page of its own, among others and for everybody, and so is what is said of its change', () => {
    fc.assert(
      fc.property(arbitraryWorld, fc.constantFrom(exactRounding, managerRounding), (given, rounding) => {
        const ofOthers = buildBoard(given, { rounding: rounding === exactRounding ? managerRounding : exactRounding })
        for (const [place, { school, ...row }] of buildBoard(given, { rounding }).schools.entries()) {
          const alone = buildBoard(given, { rounding, school: school.id })
          expect(alone.total).toEqual(row)
          const { low, high } = alone.curves.forecastRange.at(-1) ?? {}
          expect(low === undefined || high === undefined, 'the fan is the forecast').toBe(row.forecast === null)
          // But for what stands as come already, which others see rounded.
          const other = ofOthers.schools[place]?.forecast
          const apart = [(other?.low ?? 0) - (row.forecast?.low ?? 0), (other?.high ?? 0) - (row.forecast?.high ?? 0)]
          expect(Math.max(...apart.map(Math.abs))).toBeLessThan(3)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('has curves that end in the numbers of the table, and a fan that begins there', () => {
    const { curves, total } = board
    const [now, before] = curves.cohorts
    expect(now?.year).toBe(COHORT)
    expect([now?.counts.at(-1), before?.counts.at(-1)]).toEqual([total.countSoFar, total.totalYearBefore])
    expect(curves.forecastRange[0]).toEqual({ day: curves.todayCycleDay, low: 1200, high: 1200, expected: 1200 })
    // The range of the table has round ends.
    const rounded = (['low', 'high'] as const).map(
      (end) => (curves.forecastRange.at(-1)?.[end] ?? 0) - (total.forecast?.[end] ?? 0),
    )
    expect(Math.max(...rounded.map(Math.abs))).toBeLessThanOrEqual(50)
  })

  test('compares with no year that was not seen from its start', () => {
    const late = listSteadyDays(COHORT - 1, 10).slice(400)
    const { total } = buildBoard(
      createWorld({
        norra: new Map([
          [COHORT, listSteadyDays(COHORT, 10, 80)],
          [COHORT - 1, late],
        ]),
      }),
    )
    expect(total).toMatchObject({ countSoFar: 800, countYearBefore: null, totalYearBefore: null, change: null })
  })

  test('counts early declarations of a cohort whose year has not begun, and a year that is over in all', () => {
    const early = createWorld({ norra: new Map([[COHORT + 1, listSteadyDays(COHORT, 1, 9)]]) })
    expect(buildBoard(early, { cohort: COHORT + 1 }).total.countSoFar).toBe(9)
    const over = buildBoard(world, { cohort: COHORT - 1 }).total
    expect(over).toMatchObject({ countSoFar: 5475, countYearBefore: 5475, forecast: null })
  })
})

describe('what a manager gets', () => {
  test('are rounded counts, shares of them, and none of few', () => {
    const { days: few } = createWorld({ ...days, östra: createSteadyYears(0.03) })
    const { total, schools } = buildBoard({ ...world, days: few }, { rounding: managerRounding })
    expect(schools).toMatchObject([
      { countSoFar: 960, countYearBefore: 800, waitingCount: 0, lateCount: 0 },
      { countSoFar: '<5', countYearBefore: null, waitingCount: 10, lateCount: '<5', change: null, forecast: null },
    ])
    expect([total.countSoFar, total.waitingCount, total.lateCount], 'rounded from the exact sum').toEqual([
      960,
      10,
      '<5',
    ])
  })

  /** Subtraction, solving, polling: worlds that agree in rounded sums of weeks agree in all, on every day. */
  test('is the same for all seasons whose weeks are rounded alike, however long one looks', () => {
    let [looks, unlikeForStaff] = [0, 0]
    const someExtra = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(arbitraryWorld, fc.nat({ max: 4 }), someExtra, (given, school, extra) => {
        const whole = inFives(given)
        const other = withExtra(whole, school, extra)
        for (let day = 0; day < 15; day++) {
          const seen = (one: World, rounding = managerRounding) =>
            buildBoard({ ...one, passedDays: given.passedDays + day }, { rounding })
          expect(seen(other)).toEqual(seen(whole))
          looks += 1
          if (JSON.stringify(seen(other, exactRounding)) !== JSON.stringify(seen(whole, exactRounding)))
            unlikeForStaff += 1
        }
      }),
      { numRuns: 60 },
    )
    expect(unlikeForStaff).toBeGreaterThan(looks / 3)
  })
})

/** As many in each week of the cycle as make a multiple of five. */
function inFives(given: World): World {
  return mapped(given, (all, year) => {
    const byWeek = Map.groupBy(all, (day) => Math.ceil((day - findCohortDayZero(year)) / 7))
    return [...byWeek.values()].flatMap((ofWeek) => ofWeek.slice(0, ofWeek.length - (ofWeek.length % 5)))
  })
}

/** Up to two more at one school; and everybody on the first day of their week. */
function withExtra(given: World, school: number, extra: readonly number[]): World {
  const chosen = [...given.days.keys()][school % given.days.size]
  return mapped(given, (all, year, id) => {
    const more = all.length === 0 || id !== chosen ? 0 : (extra[year % extra.length] ?? 0)
    const moved = all.map(
      (day) => findCohortDayZero(year) + Math.floor((day - findCohortDayZero(year) - 1) / 7) * 7 + 1,
    )
    return [...Array.from({ length: more }, () => moved[0] ?? 0), ...moved]
  })
}

function mapped(given: World, change: (days: readonly number[], year: number, school: string) => number[]): World {
  const schools = Array.from(given.days, ([id, years]) => {
    return [id, new Map(Array.from(years, ([year, all]) => [year, change(all, year, id)]))] as const
  })
  return { ...given, days: new Map(schools) }
}

const noSeason = { countYearBefore: null, totalYearBefore: null, change: null, forecast: null }
const noWork = { waitingCount: 0, lateCount: 0, judgedCount: 30, withinGoalShare: null }
const row = (name: string, part: Partial<SchoolRow>): SchoolRow => {
  return { school: { id: name, name }, countSoFar: 10, ...noSeason, ...noWork, ...part }
}
const ends = (low: number, high: number, totalYearBefore: number) => {
  return { forecast: { low, high, years: [2026] }, totalYearBefore }
}
const rows = [
  row('a', { countSoFar: '<5', waitingCount: 40, judgedCount: 3, withinGoalShare: 0 }),
  row('b', { countSoFar: 100, change: 0.1, withinGoalShare: 0.95, ...ends(90, 110, 50) }),
  row('c', { countSoFar: 50, change: -0.2, withinGoalShare: 0.5, ...ends(40, 60, 100), lateCount: '<5' }),
]

test.each<[BoardColumn, string]>([
  ['school', 'abc'],
  ['now', 'acb'],
  ['change', 'cba'],
  ['forecast', 'cba'],
  ['waiting', 'cab'],
  ['withinGoal', 'cba'],
])('by %s the worst come first; what is not known, or of too few, comes last', (column, worst) => {
  expect(sortWorstFirst(rows, column).map(({ school }) => school.name)).toEqual([...worst])
})

import fc from 'fast-check'
import { createFormatter, createTranslator } from 'next-intl'
import { describe, expect, test } from 'vitest'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import en from '@/lib/i18n/messages/en/interest.json'
import sv from '@/lib/i18n/messages/sv/interest.json'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { dayAndLongMonth } from '@/lib/time/format-date'
import type { Board, BoardRow } from './board'
import { cycleDate } from './cohort'
import type { InterestPage } from './interest-page'
import { exact, rounded } from './rounding'
import { clauseValues, sentence } from './sentence'
import {
  arbitraryWorld,
  boardIn,
  COHORT,
  steady,
  todayIn,
  type World,
  worldOf,
  zeroOf,
} from './testing/arbitrary-seasons'

/** In words, but for the figures that the rules read. */
function said(board: Board, locale: 'sv' | 'en', cycle = defaultAdmissionCycle): string[] {
  const t = createTranslator({ locale, messages: locale === 'sv' ? sv : en, namespace: 'sentence' })
  const valuesOf = clauseValues(
    { ...page, board, cycle },
    { t, few: 'FEW', format: createFormatter({ locale }), locale },
  )
  const { headline, basis } = sentence(board)
  return [...headline, ...basis].map((clause) => {
    const { message, count = 0, change = 0 } = clause
    return t
      .markup(message, {
        ...valuesOf(clause),
        count: count === '<5' ? 'FEW' : String(count),
        share: String(Math.round(change * 100)),
        link: (text) => text,
      })
      .replaceAll(/\s/g, ' ')
  })
}

const page: Omit<InterestPage, 'board'> = {
  topics: { from: '', to: '', weeks: [], topics: [] },
  cohort: COHORT,
  cohorts: [COHORT],
  asOf: '2026-12-01',
  snapshot: snapshotAt(1),
  cycle: defaultAdmissionCycle,
  isRounded: false,
  isWorked: true,
  hasFirstDay: true,
  chosen: [],
  goals: { 'asked-question': null, 'declaration-of-interest': null },
}

const sizeOf = (count: BoardRow['before']) => (count === '<5' ? 2.5 : (count ?? 0))
const percentOf = (now: BoardRow['now'], before: BoardRow['before']) =>
  Math.round((sizeOf(now) / sizeOf(before) - 1) * 100)
/** Each rule says from the numbers on screen, and nothing else, whether a clause is true. */
const RULES: [RegExp, (words: readonly string[], board: Board, world: World) => boolean][] = [
  [/^Inga anmälningar till hösten 2027 än\.$/, (_, { all }) => all.now === 0],
  [
    /^(\S+) (?:anmälan|anmälningar)( hittills| till hösten 2027)\.$/,
    ([count, when], { all }, { passed }) =>
      isCount(count, all.now) && (when === ' hittills') === todayIn(passed) <= cycleDate(COHORT, '09-15'),
  ],
  [
    /^(\S+) anmälningar, (fler än|färre än|ungefär som) i fjol\.$/,
    ([count, which], { all: { now, before } }) => {
      const by = percentOf(now, before)
      const expected = Math.abs(by) <= 6 ? 'ungefär som' : by > 0 ? 'fler än' : 'färre än'
      return isCount(count, now) && which === expected
    },
  ],
  [
    /^(-?\d+) mot i fjol( vid samma tid)?$/,
    ([by, soFar], { all: { now, before } }, { passed }) =>
      Number(by) === percentOf(now, before) &&
      (soFar !== undefined) === todayIn(passed) <= cycleDate(COHORT, '09-15') &&
      Math.min(sizeOf(now), sizeOf(before)) >= 25,
  ],
  [
    /^(\S+) minskar( mest)? \((-\d+)\)\.$/,
    ([name, most, share], { schools }) => {
      const by = changeAt(name, schools)
      const others = schools.filter(({ school, change }) => school.name !== name && change !== null)
      const isMost = others.every((one) => percentOf(one.now, one.before) > by)
      return by < -6 && by === Number(share) && (most === undefined || isMost)
    },
  ],
  [
    /^(?:(\d+) skolor svarar för sent, bland dem )?(\S+?)( svarar för sent)?\.$/,
    ([count, name, alone], { schools }) => {
      const late = schools.filter(({ judged, withinGoal }) => sizeOf(judged) >= 25 && (withinGoal ?? 1) < 0.9)
      const own = late.find(({ school }) => school.name === name)?.withinGoal ?? 1
      return (
        (count === undefined) !== (alone === undefined) &&
        late.length === Number(count ?? 1) &&
        late.every(({ withinGoal }) => (withinGoal ?? 1) >= own)
      )
    },
  ],
  [
    /^(\S+): (\d+ %) av frågorna i tid \(mål 90 %\)$/,
    ([name, goal], { schools }) => isGoal(goal, schools.find(({ school }) => school.name === name)?.withinGoal ?? null),
  ],
  [
    /^(\d+ %) av frågorna besvaras i tid\.$/,
    ([goal], { all }) => all.withinGoal !== null && goal === `${Math.round(all.withinGoal * 100)} %`,
  ],
  [/^mål 90 %$/, (_, { all }) => sizeOf(all.judged) >= 25],
  [
    /^på väg mot ([\d\s]+)–([\d\s]+) till 15 september \(80 % sannolikt\)$/,
    ([low, high], { all }) =>
      numberOf(low) === all.forecast?.low &&
      numberOf(high) === all.forecast.high &&
      numberOf(low) >= sizeOf(all.now) &&
      numberOf(low) < numberOf(high),
  ],
  [
    /^flest kom i fjol veckan fram till (\d+) (\S+)$/,
    ([day, month], { curves: { days, today, cohorts } }) => {
      const counts = cohorts.find(({ year }) => year === COHORT - 1)?.counts.map(sizeOf) ?? []
      const weeks = days.flatMap((end, place) => {
        const start = days.indexOf(end - 7)
        return end % 7 !== 0 || start === -1 ? [] : [{ end, came: (counts[place] ?? 0) - (counts[start] ?? 0) }]
      })
      const most = Math.max(...weeks.map(({ came }) => came))
      const rush = weeks.filter(({ came }) => came === most)
      const named = dayAndLongMonth(zeroOf(COHORT - 1) + (rush[0]?.end ?? 0), 'sv')
      return rush.length === 1 && (rush[0]?.end ?? 0) > today && named === `${day} ${month}`
    },
  ],
]

const changeAt = (name: string | undefined, schools: Board['schools']) => {
  const row = schools.find(({ school }) => school.name === name)
  return row && Math.min(sizeOf(row.now), sizeOf(row.before)) >= 25 ? percentOf(row.now, row.before) : 0
}
const numberOf = (text = '') => Number(text.replaceAll(/\s/g, ''))
const isCount = (text: string | undefined, count: BoardRow['now']) => text === (count === '<5' ? 'FEW' : String(count))
const isGoal = (text: string | undefined, share: number | null) =>
  text === undefined || (share !== null && share < 0.9 && text === `${Math.round(share * 100)} %`)

describe('the sentence', () => {
  test('is never untrue, for staff and managers, whatever there is to say', () => {
    const used = new Set<RegExp>()
    const isTrue = fc.property(arbitraryWorld, fc.constantFrom(exact, rounded), (world, rounding) => {
      const board = boardIn(world, { rounding })
      for (const clause of said(board, 'sv')) {
        const [pattern, holds] = RULES.find(([one]) => one.test(clause)) ?? []
        const words = pattern?.exec(clause)?.slice(1) ?? []
        if (pattern === undefined || holds?.(words, board, world) !== true) throw new Error(`untrue: ${clause}`)
        used.add(pattern)
      }
    })
    fc.assert(isTrue, { numRuns: 500, seed: 7 })
    expect(RULES.filter(([pattern]) => !used.has(pattern)).map(([pattern]) => pattern.source)).toEqual([])
  })

  test('says as much in English, in the same order', () => {
    fc.assert(
      fc.property(arbitraryWorld, (world) => {
        const board = boardIn(world)
        const [swedish, english] = [said(board, 'sv'), said(board, 'en')]
        const numbers = (text: string) =>
          text
            .replaceAll(/\s%/g, '%')
            .replaceAll(/(?<=\d)[\s,](?=\d{3})/g, '')
            .match(/-?\d+%?|FEW/g)
        expect(english.map(numbers)).toEqual(swedish.map(numbers))
      }),
      { numRuns: 100 },
    )
  })
})

const years = (now: number, ...before: number[]) =>
  new Map([now, ...before].map((aDay, ago) => [COHORT - ago, steady(COHORT - ago, aDay, ago === 0 ? 80 : 365)]))
const days = new Map([
  ['norra', years(12, 10, 10)],
  ['östra', years(3, 5, 5)],
])

test('says the total and the school that answers too late, on the numbers below', () => {
  const found = (judged: number) =>
    sentence(boardIn(worldOf(days, 80, { norra: { judged: 90, within: 81 }, östra: { judged, within: judged / 2 } })))
  const ostra = { id: 'östra', name: 'Östra' }
  expect(found(26)).toEqual({
    headline: [
      { message: 'total.about', count: 1200 },
      { message: 'misses', school: ostra, count: 1 },
    ],
    basis: [
      { message: 'basis.change', change: 0 },
      { message: 'basis.ends', low: 4900, high: 6200 },
      { message: 'basis.goal', school: ostra, goal: 0.5 },
    ],
  })
  expect(found(24).headline.at(-1), 'of few, no school is judged').toMatchObject({ message: 'inTime' })
})

test('names the school that falls most where all answer in time', () => {
  const { headline } = sentence(boardIn(worldOf(days, 80, { norra: { judged: 90, within: 90 } })))
  const school = { id: 'östra', name: 'Östra' }
  expect(headline.at(-1)).toEqual({ message: 'fallsMost', school, change: -0.4 })
})

test('says when the rush was last year until that week has passed', () => {
  const rush = Array.from({ length: 60 }, () => zeroOf(COHORT - 1) - 3)
  const spread = [...steady(COHORT - 1, 1), ...rush].toSorted((a, b) => a - b)
  const season = new Map([
    [
      'norra',
      new Map([
        [COHORT, steady(COHORT, 1, 80)],
        [COHORT - 1, spread],
      ]),
    ],
  ])
  expect(said(boardIn(worldOf(season, 80)), 'sv')).toContain('flest kom i fjol veckan fram till 15 februari')
  expect(sentence(boardIn(worldOf(season, 200))).basis.map(({ message }) => message)).not.toContain('basis.rush')
})

test.each([
  ['sv', /^på väg mot 4 800–6 300 till 30 juni \(/],
  ['en', /^heading for 4,800–6,300 by 30 June \(/],
] as const)('says until when the forecast is, which is the last day of the cycle (%s)', (locale, words) => {
  const board = boardIn(worldOf(new Map([['norra', years(15, 15)]]), 80))
  expect(said(board, locale, { ...defaultAdmissionCycle, reservesEnd: '06-30' })).toContainEqual(
    expect.stringMatching(words),
  )
})

test('names no school for a goal that all miss by as much', () => {
  const same = new Map(['norra', 'östra'].map((id) => [id, years(10, 10)]))
  const half = { judged: 90, within: 45 }
  const { headline } = sentence(boardIn(worldOf(same, 80, { norra: half, östra: half })))
  expect(headline.slice(1)).toEqual([{ message: 'inTime', goal: 0.5 }])
})

test('does not call a school the one that falls most where another shows as much', () => {
  const equal = new Map(['norra', 'södra', 'östra'].map((id) => [id, id === 'östra' ? years(10, 10) : years(7, 10)]))
  expect(sentence(boardIn(worldOf(equal, 80))).headline.at(-1)?.message).toBe('falls')
})

import fc from 'fast-check'
import { createFormatter, createTranslator } from 'next-intl'
import { describe, expect, test } from 'vitest'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import en from '@/lib/i18n/messages/en/interest.json'
import sv from '@/lib/i18n/messages/sv/interest.json'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import type { Board, BoardRow } from './board'
import { cycleDate } from './cohort'
import type { InterestPage } from './interest-page'
import { exact, rounded } from './rounding'
import { clauseValues, sentence } from './sentence'
import { arbitraryWorld, boardIn, COHORT, steady, todayIn, type World, worldOf } from './testing/arbitrary-seasons'

const PERCENT = { style: 'percent', maximumFractionDigits: 0 } as const

/** In words, but for the figures that the rules read. */
function said(board: Board, locale: 'sv' | 'en', cycle = defaultAdmissionCycle): string[] {
  const t = createTranslator({ locale, messages: locale === 'sv' ? sv : en, namespace: 'sentence' })
  const format = createFormatter({ locale })
  const valuesOf = clauseValues({ ...page, board, cycle }, { t, few: 'FEW', format, locale })
  return sentence(board).map((clause) => {
    const { message, count = 0, by = 0, goal = 0 } = clause
    return t
      .markup(message, {
        ...valuesOf(clause),
        count: count === '<5' ? 'FEW' : String(count),
        share: String(Math.round(by * 100)),
        before: t(message === 'ends' ? 'before.ended' : 'before.lastYear'),
        goal: format.number(goal, PERCENT),
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
    /^(\S+) (?:anmälan|anmälningar) till hösten 2027( hittills)?\.$/,
    ([count, soFar], { all }, { passed }) =>
      isCount(count, all.now) && (soFar !== undefined) === todayIn(passed) <= cycleDate(COHORT, '09-15'),
  ],
  [
    /^(\S+) anmälningar till hösten 2027, (fler|färre) än i fjol vid samma tid \((-?\d+)\)\.$/,
    ([count, which, by], { all: { now, before } }) =>
      isCount(count, now) &&
      Number(by) === percentOf(now, before) &&
      Math.abs(Number(by)) > 3 &&
      (which === 'fler') === sizeOf(now) > sizeOf(before),
  ],
  [
    /^(\S+) anmälningar till hösten 2027, ungefär som i fjol vid samma tid \((-?\d+)\)\.$/,
    ([count, by], { all: { now, before } }) =>
      isCount(count, now) && Number(by) === percentOf(now, before) && Math.abs(Number(by)) <= 3,
  ],
  [
    /^(\S+) (ökar|minskar)( mest)? \((-?\d+)\)(?: och svarar i tid på (\S+ %) av frågorna \(mål 90 %\))?\.$/,
    ([name, which, most, by, goal], { schools }) => {
      const row = schools.find(({ school }) => school.name === name)
      const sign = which === 'ökar' ? 1 : -1
      const others = schools.filter((one) => one !== row && one.change !== null)
      return (
        row !== undefined &&
        Number(by) === percentOf(row.now, row.before) &&
        Math.sign(Number(by)) === sign &&
        Math.min(sizeOf(row.now), sizeOf(row.before)) >= 25 &&
        isGoal(goal, row.withinGoal) &&
        (most === undefined || others.every((one) => sign * percentOf(one.now, one.before) < sign * Number(by)))
      )
    },
  ],
  [
    /^(\d+ %) av frågorna besvaras i tid \(mål 90 %\), lägst hos (\S+): (\d+ %)\.$/,
    ([total, name, goal], { all, schools }) =>
      goal !== undefined &&
      total === `${Math.round((all.withinGoal ?? 0) * 100)} %` &&
      schools.every(
        ({ judged, withinGoal }) => sizeOf(judged) < 25 || Number.parseInt(goal, 10) <= (withinGoal ?? 1) * 100 + 0.5,
      ) &&
      isGoal(goal, schools.find(({ school }) => school.name === name)?.withinGoal ?? null),
  ],
  [
    /^Totalt besvaras (\d+ %) av frågorna i tid \(mål 90 %\)\.$/,
    ([goal], { all }) => goal !== undefined && isGoal(goal, all.withinGoal),
  ],
  [
    /^På väg mot ([\d\s]+)–([\d\s]+) till (\d+ [a-z]+) \(80 % sannolikt(?:; i fjol blev det (\S+))?\)\.$/,
    ([low, high, end, ended], { all }) =>
      end === '15 september' &&
      numberOf(low) === all.forecast?.low &&
      numberOf(high) === all.forecast.high &&
      numberOf(low) >= sizeOf(all.now) &&
      numberOf(low) < numberOf(high) &&
      (ended === undefined ? all.beforeInAll === null : isCount(ended, all.beforeInAll ?? 0)),
  ],
]

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

test('says the total, the rise, the fall with its missed goal', () => {
  const days = new Map([
    ['norra', years(12, 10, 10)],
    ['östra', years(3, 5, 5)],
  ])
  const found = (judged: number) =>
    sentence(boardIn(worldOf(days, 80, { norra: { judged: 90, within: 81 }, östra: { judged, within: judged / 2 } })))
  const [norra, ostra] = [
    { id: 'norra', name: 'Norra' },
    { id: 'östra', name: 'Östra' },
  ]
  expect(found(26)).toEqual([
    { message: 'total.about', count: 1200, by: 0 },
    { message: 'ends', low: 4900, high: 6200, count: 5475 },
    { message: 'risesMost', school: norra, by: 0.2 },
    { message: 'fallsMostAndMisses', school: ostra, by: -0.4, goal: 0.5 },
  ])
  expect(found(24).at(-1)?.message).toBe('missesInAll')
})

test.each([
  ['sv', /^På väg mot 4 800–6 300 till 30 juni \(/],
  ['en', /^Heading for 4,800–6,300 by 30 June \(/],
] as const)('says until when the forecast is, which is the last day of the cycle (%s)', (locale, words) => {
  const board = boardIn(worldOf(new Map([['norra', years(15, 15)]]), 80))
  expect(said(board, locale, { ...defaultAdmissionCycle, reservesEnd: '06-30' })[1]).toMatch(words)
})

test('names no school for a goal that all miss by as much', () => {
  const days = new Map(['norra', 'östra'].map((id) => [id, years(10, 10)]))
  const half = { judged: 90, within: 45 }
  const clauses = sentence(boardIn(worldOf(days, 80, { norra: half, östra: half })))
  expect(clauses.slice(2)).toEqual([{ message: 'missesInAll', goal: 0.5 }])
})

test('does not call a school the most where another shows as much', () => {
  const days = new Map(['norra', 'södra', 'östra'].map((id) => [id, id === 'östra' ? years(10, 10) : years(13, 10)]))
  expect(sentence(boardIn(worldOf(days, 80))).map(({ message }) => message)).toContain('rises')
})

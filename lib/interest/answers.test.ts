import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration, question } from '@/lib/leads/testing/leads'
import { type AttemptEntry, firstAnswer, type TriageEntry } from '@/lib/leads/triage-columns'
import { workRules } from '@/lib/leads/work-rules'
import { dayText, epochDay } from '@/lib/time/stockholm'
import { mondayOf } from '@/lib/time/weeks'
import { answerFigures, answerWindows, firstAnswers, quantile, timeToAnswer, withAnswers } from './answers'
import { type DayWindow, defaultCohort } from './cohort'
import { countedLeads } from './counted-leads'

const HOLIDAYS = new Set(['2026-12-24', '2026-12-25', '2026-12-26', '2026-12-31', '2027-01-01', '2027-01-06'])
const everything = { schools: null, from: -Infinity, to: Infinity }

/** Moment of arrival, and what was done about it; a lead with a year is a declaration. */
type Came = { at: string; done?: Partial<TriageEntry>; school?: string; year?: number }
type Asked = {
  today: string
  from?: string | null
  /** The first admission year that is open, once it is chosen what is work. */
  openYear?: number
  goals?: { questions: number | null; declarations: number | null }
  period?: { from: number; to: number }
}

function answered(leads: Came[]) {
  const all = leads.map((lead, index) => ({ id: `l${index}`, school: 'norra', ...lead }))
  const declared = all.flatMap(({ id, at, school, year }) =>
    year === undefined ? [] : [declaration(id, { createdAt: at, school, highSchoolEnrollmentYear: year })],
  )
  const asked = all.filter(({ year }) => year === undefined)
  const tables = {
    declarations: leadTableOf('declaration-of-interest', declared),
    questions: leadTableOf(
      'asked-question',
      asked.map(({ id, at, school }) => question(id, { createdAt: at, school })),
    ),
  }
  const triage = new Map(
    all.flatMap(({ id, done }): [string, TriageEntry][] =>
      done ? [[id, { status: 'new', assigneeId: null, updatedAt: null, ...done }]] : [],
    ),
  )
  triage.set('gone', { status: 'handled', assigneeId: null, updatedAt: 1 })
  return withAnswers(countedLeads(tables, 'all'), {
    declarations: firstAnswers(tables.declarations, triage),
    questions: firstAnswers(tables.questions, triage),
  })
}

function answersOn(leads: Came[], asked: Asked) {
  const { today, from = null, openYear = null, goals = { questions: 2, declarations: null } } = asked
  const now = Date.parse(`${today}T11:00:00Z`)
  const settings = {
    from,
    openYear,
    goals: { 'asked-question': goals.questions, 'declaration-of-interest': goals.declarations },
    isHoliday: (day: string) => HOLIDAYS.has(day),
  }
  const basis = { cohort: 2027, cycle: defaultAdmissionCycle, today: epochDay(today), isWeekly: false }
  return answerFigures(answered(leads), {
    schools: null,
    windows: answerWindows({ ...everything, ...asked.period }, basis),
    goals: {
      declarations: workRules('declaration-of-interest', now, settings),
      questions: workRules('asked-question', now, settings),
    },
    today: epochDay(today),
  })
}

let ids = 0
const attempt = (at: string, outcome: AttemptEntry['outcome']): AttemptEntry => ({
  id: (ids += 1),
  at: Date.parse(at),
  userId: 'sara',
  channel: 'phone',
  outcome,
})
/** As the board keeps them. */
const tried = (...attempts: AttemptEntry[]): Partial<TriageEntry> => ({
  attempts,
  answeredAt: firstAnswer(attempts)?.at ?? null,
})
const sent = (at: string) => tried(attempt(at, 'sent'))
const handled = (at: string): Partial<TriageEntry> => ({ status: 'handled', updatedAt: Date.parse(at) })

describe('answers within the goal', () => {
  it('are judged by working days: Christmas and the weekend are none', () => {
    // Asked on Wednesday 23 December: two working days after are Monday 28 and Tuesday 29.
    const at = '2026-12-23T09:00:00Z'
    const both = ['2026-12-29T22:59:00Z', '2026-12-29T23:00:00Z'].map((when) => ({ at, done: sent(when) }))
    expect(answersOn(both, { today: '2027-01-11' })).toMatchObject({ counted: 2, withinGoal: 0.5 })
    expect(answersOn([{ at }], { today: '2026-12-29' }).counted, 'its last day is not over').toBe(0)
    expect(answersOn([{ at }], { today: '2026-12-30' })).toMatchObject({ counted: 1, withinGoal: 0, count: 0 })
  })

  it.each([
    // Thursday 25 March: Friday and, after the clocks were put forward, Monday 29 until midnight, which is 22:00 UTC.
    ['2027-03-25T10:00:00Z', '2027-03-29T21:59:00Z', 1],
    ['2027-03-25T10:00:00Z', '2027-03-29T22:00:00Z', 0],
    // At 23:30 in Stockholm it is still Thursday, at 00:30 Friday.
    ['2027-03-25T22:30:00Z', '2027-03-29T21:00:00Z', 1],
    ['2027-03-25T23:30:00Z', '2027-03-30T21:00:00Z', 1],
  ])('end with the Stockholm day: asked at %s, answered at %s', (at, when, withinGoal) => {
    expect(answersOn([{ at, done: sent(when) }], { today: '2027-04-30' }).withinGoal).toBe(withinGoal)
  })

  const at = '2026-11-16T08:00:00Z'
  const calls = [attempt('2026-11-16T09:00:00Z', 'no-answer'), attempt('2026-11-17T08:00:00Z', 'talked')] as const
  it.each<[string, Partial<TriageEntry>, object]>([
    [
      'begin with the first that was one',
      tried(...calls, attempt('2026-11-20T08:00:00Z', 'sent')),
      { medianMinutes: 1440 },
    ],
    ['do not begin with trying', tried(calls[0]), { count: 0, withinGoal: 0 }],
    ['begin while it is in progress', { ...sent('2026-11-17T08:00:00Z'), status: 'in-progress' }, { withinGoal: 1 }],
    ['begin when it is handled', handled('2026-11-16T09:30:00Z'), { withinGoal: 1, medianMinutes: 90 }],
    ['begin before', { ...handled('2026-11-27T08:00:00Z'), ...sent('2026-11-16T10:00:00Z') }, { medianMinutes: 120 }],
    ['count what was put aside', { ...sent('2026-11-18T08:00:00Z'), snoozeUntil: '2026-11-18' }, { counted: 1 }],
    ['not what was dismissed', { status: 'dismissed', updatedAt: Date.parse(at) }, { counted: 0, count: 0 }],
  ])('%s', (_, done, expected) => {
    expect(answersOn([{ at, done }], { today: '2026-11-30' })).toMatchObject(expected)
  })

  it('do not count what has no goal or is earlier', () => {
    const today = '2026-11-30'
    const interested = [{ at, year: 2027, done: sent('2026-11-16T10:00:00Z') }]
    expect(answersOn(interested, { today })).toMatchObject({ counted: 0, withinGoal: null, count: 1 })
    expect(answersOn(interested, { today, goals: { questions: null, declarations: 1 } }).withinGoal).toBe(1)
    expect(answersOn([{ at, done: sent(at) }], { today, from: '2026-11-17' })).toMatchObject({ counted: 0, count: 1 })
  })

  const on = (day: string, school = 'norra', answeredAt = `${day}T09:00:00Z`): Came => ({
    at: `${day}T08:00:00Z`,
    school,
    done: sent(answeredAt),
  })

  it('are of the admission year until now, by school and by the week in which they came, against the year before', () => {
    const leads = [
      on('2026-11-10'),
      on('2026-11-16'),
      on('2026-11-17', 'sodra', '2026-12-01T08:00:00Z'),
      on('2025-11-17', 'norra', '2025-11-25T08:00:00Z'),
      on('2025-12-10'),
    ]
    const answer = answersOn(leads, { today: '2026-12-02' })
    expect(answer).toMatchObject({ count: 3, counted: 3, withinGoal: 2 / 3, medianMinutes: 60 })
    expect(answer.bySchool).toMatchObject([
      { highSchoolId: 'norra', withinGoal: 1, count: 2, medianMinutes: 60, p90Minutes: 60 },
      { highSchoolId: 'sodra', withinGoal: 0, count: 1, medianMinutes: 14 * 24 * 60 },
    ])
    expect(answer.weeks.slice(-2)).toMatchObject([
      { week: '2026-W46', counted: 1, withinGoal: 1 },
      { week: '2026-W47', counted: 2, withinGoal: 0.5 },
    ])
    expect(answer.lastYear, 'and not what came after this day last year').toMatchObject({ count: 1, withinGoal: 0 })
  })

  it('are of the period that was asked for, against the same weekdays last year', () => {
    const period = { from: epochDay('2026-11-16'), to: epochDay('2026-11-22') }
    const days = ['2026-11-15', '2026-11-16', '2026-11-22', '2026-11-23', '2025-11-16', '2025-11-17']
    const leads = days.map((day) => on(day))
    const answer = answersOn(leads, { today: '2026-12-02', period })
    expect([answer.count, answer.lastYear.count]).toEqual([2, 1])
  })

  it('of last year are of the declarations that were work then', () => {
    const of = (year: number) => Array.from({ length: 8 }, (_, nth) => ({ ...on(`${year - 1}-11-${10 + nth}`), year }))
    const leads = [...of(2027), ...of(2026)]
    const asked = { today: '2026-12-02', goals: { questions: 2, declarations: 2 }, openYear: 2027 }
    expect(answersOn(leads, asked)).toMatchObject({ withinGoal: 1, lastYear: { withinGoal: 1 } })
    const sinceAugust = answersOn(leads, { ...asked, from: '2026-08-01' })
    expect(sinceAugust, 'nothing was work before').toMatchObject({ withinGoal: 1, lastYear: { withinGoal: null } })
  })
})

describe('what answers are compared with', () => {
  const someDay = fc.integer({ min: epochDay('2020-01-01'), max: epochDay('2032-12-31') })
  const dayOfMonth = (month: string) =>
    fc.integer({ min: 1, max: 28 }).map((day) => `${month}-${`${day}`.padStart(2, '0')}`)
  const someCycle = fc
    .tuple(dayOfMonth('02'), dayOfMonth('03'), dayOfMonth('08'), dayOfMonth('10'))
    .map(([opens, closes, final, end]) => ({
      ...defaultAdmissionCycle,
      applicationOpens: opens,
      applicationCloses: closes,
      final,
      reservesEnd: end,
    }))
  const somePeriod = fc.option(
    fc
      .record({ from: someDay, days: fc.integer({ min: 1, max: 800 }) })
      .map(({ from, days }) => ({ from, to: from + days - 1 })),
  )
  const length = ({ from, to }: DayWindow) => to - from + 1

  test('has as many days and the same weekdays, whatever the day, the period, the cycle and the reader', () => {
    fc.assert(
      fc.property(
        someDay,
        somePeriod,
        fc.constantFrom(defaultAdmissionCycle, null),
        someCycle,
        fc.integer({ min: -3, max: 2 }),
        fc.boolean(),
        (today, period, usual, own, years, isWeekly) => {
          const cycle = usual ?? own
          const cohort = defaultCohort(dayText(today), cycle) + years
          const asked = isWeekly || period === null ? { from: -Infinity, to: Infinity } : period
          const { now, before } = answerWindows(asked, { cohort, cycle, today, isWeekly })
          expect(length(before)).toBe(length(now))
          expect([(now.from - before.from) % 7, (now.to - before.to) % 7]).toEqual([0, 0])
          expect(Math.abs(now.from - before.from - 365)).toBeLessThan(4)
          const whole = { from: mondayOf(now.from), to: mondayOf(now.to + 1) - 1 }
          const ofStaff = period === null ? now : { from: period.from, to: Math.min(period.to, today) }
          expect(now).toEqual(isWeekly ? whole : ofStaff)
          expect(now.to).toBeLessThan(isWeekly ? mondayOf(today) : today + 1)
        },
      ),
    )
  })

  test('of a week is a week, and of a season to date as much of the last', () => {
    const basis = { cohort: 2027, cycle: defaultAdmissionCycle, today: epochDay('2026-12-07') }
    const week = { from: epochDay('2026-11-11'), to: epochDay('2026-11-17') }
    const textOf = ({ from, to }: DayWindow) => [dayText(from), dayText(to)]
    const ofStaff = answerWindows(week, { ...basis, isWeekly: false })
    expect(textOf(ofStaff.before)).toEqual(['2025-11-12', '2025-11-18'])
    const toDate = answerWindows(everything, { ...basis, isWeekly: true })
    expect([toDate.now, toDate.before].map(textOf)).toEqual([
      ['2026-09-14', '2026-12-06'],
      ['2025-09-15', '2025-12-07'],
    ])
  })
})

describe('the time to the first answer', () => {
  const START = Date.UTC(2026, 10, 20, 8)
  const came = (school: string, answeredAfter: number | null, minutesLater = 0): Came => ({
    at: new Date(START + minutesLater * 60_000).toISOString(),
    school,
    year: 2027,
    ...(answeredAfter !== null && { done: handled(new Date(START + answeredAfter * 60_000).toISOString()) }),
  })
  const inProgress = { ...came('s', null), done: { status: 'in-progress', updatedAt: START + 300_000 } as const }
  const others = [came('s', 100), inProgress, came('s', 0, 60), came('s', null, 2880)]
  const leads = answered([came('n', 10), came('n', 30), ...others])

  it('is counted from arrival, over what is handled now and still there; never less than nothing', () => {
    const times = timeToAnswer(leads, everything)
    expect(times).toMatchObject({ count: 4, medianMinutes: 20 })
    expect(times.p90Minutes).toBeCloseTo(79)
  })

  it('goes by the schools and the days chosen', () => {
    const of = (id: string) => timeToAnswer(leads, { ...everything, schools: new Set([id]) })
    expect(of('n')).toEqual({ count: 2, medianMinutes: 20, p90Minutes: 28 })
    expect(of('s')).toMatchObject({ medianMinutes: 50 })
    const later = { ...everything, from: epochDay('2026-11-21') }
    expect(timeToAnswer(leads, later)).toEqual({ count: 0, medianMinutes: null, p90Minutes: null })
  })

  it.each([
    [[1, 2, 3, 4], 0.5, 2.5],
    [[7], 0.9, 7],
    [[], 0.5, null],
  ])('is a quantile as in SQL: %j at %d', (ascending, share, expected) => {
    expect(quantile(ascending, share)).toBe(expected)
  })
})

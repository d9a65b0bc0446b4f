import { describe, expect, it } from 'vitest'
import { defaultAdmissionCycle } from '@/lib/contract/admission-cycle'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration, question } from '@/lib/leads/testing/leads'
import { type AttemptEntry, firstAnswer, type TriageEntry } from '@/lib/leads/triage-columns'
import { workRules } from '@/lib/leads/work-rules'
import { epochDay } from '@/lib/time/stockholm'
import { answersTo, answerWindows } from './answers'
import { countedLeads } from './counted-leads'
import { firstAnswers, withAnswers } from './time-to-answer'

const HOLIDAYS = new Set(['2026-12-24', '2026-12-25', '2026-12-26', '2026-12-31', '2027-01-01', '2027-01-06'])
const isHoliday = (day: string) => HOLIDAYS.has(day)
const everything = { schools: null, from: -Infinity, to: Infinity }

type Asked = {
  /** Moment of arrival → what was done about it. */
  leads: { at: string; done?: Partial<TriageEntry>; school?: string; year?: number }[]
  today: string
  from?: string | null
  /** The first admission year that is open, once it is chosen what is work. */
  openYear?: number
  goals?: { questions: number | null; declarations: number | null }
  period?: { from: number; to: number }
}

function answersOn(asked: Asked) {
  const { leads, today, from = null, goals = { questions: 2, declarations: null } } = asked
  const all = leads.map(({ at, done, school = 'norra', year }, index) => ({ id: `l${index}`, at, done, school, year }))
  const of = (isDeclaration: boolean) => all.filter(({ year }) => (year !== undefined) === isDeclaration)
  const declarations = of(true).map(({ id, at, school, year = 0 }) =>
    declaration(id, { createdAt: at, school, highSchoolEnrollmentYear: year }),
  )
  const questions = of(false).map(({ id, at, school }) => question(id, { createdAt: at, school }))
  const tables = {
    declarations: leadTableOf('declaration-of-interest', declarations),
    questions: leadTableOf('asked-question', questions),
  }
  const entries = (isDeclaration: boolean) =>
    new Map(
      of(isDeclaration).flatMap(({ id, done }): [string, TriageEntry][] =>
        done ? [[id, { status: 'new', assigneeId: null, updatedAt: null, ...done }]] : [],
      ),
    )
  const answered = withAnswers(countedLeads(tables, 'all'), {
    declarations: firstAnswers(tables.declarations, entries(true)),
    questions: firstAnswers(tables.questions, entries(false)),
  })
  const now = Date.parse(`${today}T11:00:00Z`)
  const settings = {
    from,
    openYear: asked.openYear ?? null,
    goals: { 'asked-question': goals.questions, 'declaration-of-interest': goals.declarations },
    isHoliday,
  }
  const selection = { ...everything, ...asked.period }
  const ask = {
    schools: null,
    windows: answerWindows(selection, { cohort: 2027, cycle: defaultAdmissionCycle, today: epochDay(today) }),
    goals: {
      declarations: workRules('declaration-of-interest', now, settings),
      questions: workRules('asked-question', now, settings),
    },
    today: epochDay(today),
  }
  return answersTo(answered, ask)
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
    const late = { at, done: sent('2026-12-29T23:00:00Z') }
    expect(answersOn({ leads: [{ at, done: sent('2026-12-29T22:59:00Z') }, late], today: '2027-01-11' })).toMatchObject(
      {
        counted: 2,
        withinGoal: 0.5,
      },
    )
    expect(answersOn({ leads: [{ at }], today: '2026-12-29' }).counted, 'its last day is not over').toBe(0)
    expect(answersOn({ leads: [{ at }], today: '2026-12-30' })).toMatchObject({ counted: 1, withinGoal: 0, count: 0 })
  })

  it('end with the Stockholm day, in winter and in summer, also over the night when the clocks change', () => {
    const of = (at: string, answeredAt: string) =>
      answersOn({ leads: [{ at, done: sent(answeredAt) }], today: '2027-04-30' }).withinGoal
    // Thursday 25 March: Friday and, after the clocks were put forward, Monday 29 until midnight, which is 22:00 UTC.
    expect(of('2027-03-25T10:00:00Z', '2027-03-29T21:59:00Z')).toBe(1)
    expect(of('2027-03-25T10:00:00Z', '2027-03-29T22:00:00Z')).toBe(0)
    // At 23:30 in Stockholm it is still Thursday, at 00:30 Friday.
    expect(of('2027-03-25T22:30:00Z', '2027-03-29T21:00:00Z')).toBe(1)
    expect(of('2027-03-25T23:30:00Z', '2027-03-30T21:00:00Z')).toBe(1)
  })

  it('begin with the first attempt that was an answer, else with the moment it was handled', () => {
    const at = '2026-11-16T08:00:00Z'
    const of = (done: Partial<TriageEntry>) => answersOn({ leads: [{ at, done }], today: '2026-11-30' })
    const calls = [attempt('2026-11-16T09:00:00Z', 'no-answer'), attempt('2026-11-17T08:00:00Z', 'talked')] as const
    expect(of(tried(...calls, attempt('2026-11-20T08:00:00Z', 'sent')))).toMatchObject({
      withinGoal: 1,
      medianMinutes: 1440,
    })
    expect(of(tried(attempt('2026-11-16T09:00:00Z', 'no-answer'))), 'trying is not answering').toMatchObject({
      count: 0,
      withinGoal: 0,
    })
    expect(of({ ...sent('2026-11-17T08:00:00Z'), status: 'in-progress' }), 'in progress and answered').toMatchObject({
      count: 1,
      withinGoal: 1,
    })
    expect(of(handled('2026-11-16T09:30:00Z'))).toMatchObject({ count: 1, withinGoal: 1, medianMinutes: 90 })
    expect(of({ ...handled('2026-11-27T08:00:00Z'), ...sent('2026-11-16T10:00:00Z') })).toMatchObject({
      medianMinutes: 120,
    })
    expect(of({ ...tried(), status: 'new' }), 'an attempt that was taken back').toMatchObject({
      count: 0,
      withinGoal: 0,
    })
  })

  it('count what was put aside and answered in time, and nothing that was dismissed, has no goal or is earlier', () => {
    const at = '2026-11-16T08:00:00Z'
    const of = (asked: Partial<Asked> & Pick<Asked, 'leads'>) => answersOn({ today: '2026-11-30', ...asked })
    const aside = { ...sent('2026-11-18T08:00:00Z'), snoozeUntil: '2026-11-18' }
    expect(of({ leads: [{ at, done: aside }] })).toMatchObject({ counted: 1, withinGoal: 1 })
    expect(of({ leads: [{ at, done: { status: 'dismissed', updatedAt: Date.parse(at) } }] })).toMatchObject({
      counted: 0,
      count: 0,
    })
    const interested = { at, year: 2027, done: sent('2026-11-16T10:00:00Z') }
    expect(of({ leads: [interested] })).toMatchObject({ counted: 0, withinGoal: null, count: 1 })
    expect(of({ leads: [interested], goals: { questions: null, declarations: 1 } }).withinGoal).toBe(1)
    expect(of({ leads: [{ at, done: sent(at) }], from: '2026-11-17' })).toMatchObject({ counted: 0, count: 1 })
  })

  it('are of the admission year until now, by school and by the week in which they came, against the year before', () => {
    const week = (school: string, day: string, isLate: boolean) => ({
      at: `${day}T08:00:00Z`,
      school,
      done: sent(isLate ? '2026-12-01T08:00:00Z' : `${day}T09:00:00Z`),
    })
    const answer = answersOn({
      leads: [
        week('norra', '2026-11-10', false),
        week('norra', '2026-11-16', false),
        week('sodra', '2026-11-17', true),
        { at: '2025-11-17T08:00:00Z', done: sent('2025-11-25T08:00:00Z') },
        { at: '2025-12-10T08:00:00Z', done: sent('2025-12-10T09:00:00Z') },
      ],
      today: '2026-12-02',
    })
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

  it('are of the period that was asked for, against the same days last year', () => {
    const period = { from: epochDay('2026-11-16'), to: epochDay('2026-11-22') }
    const on = (at: string) => ({ at: `${at}T08:00:00Z`, done: sent(`${at}T09:00:00Z`) })
    const days = ['2026-11-15', '2026-11-16', '2026-11-22', '2026-11-23', '2025-11-15', '2025-11-16']
    const answer = answersOn({ leads: days.map(on), today: '2026-12-02', period })
    expect([answer.count, answer.lastYear.count]).toEqual([2, 1])
  })

  it('of last year are of the declarations that were work then', () => {
    const of = (year: number) => (_: unknown, at: number) => {
      const day = `${year - 1}-11-${10 + at}`
      return { at: `${day}T08:00:00Z`, year, done: sent(`${day}T09:00:00Z`) }
    }
    const leads = [...Array.from({ length: 8 }, of(2027)), ...Array.from({ length: 8 }, of(2026))]
    const goals = { questions: 2, declarations: 2 }
    const asked = { leads, today: '2026-12-02', goals, openYear: 2027 }
    expect(answersOn(asked)).toMatchObject({ withinGoal: 1, lastYear: { withinGoal: 1 } })
    expect(answersOn({ ...asked, from: '2026-08-01' }), 'before the first day of work nothing was').toMatchObject({
      withinGoal: 1,
      lastYear: { withinGoal: null },
    })
  })
})

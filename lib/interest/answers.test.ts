import { describe, expect, it } from 'vitest'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { question } from '@/lib/leads/testing/leads'
import { type AttemptEntry, firstAnswer, type TriageEntry } from '@/lib/leads/triage-columns'
import { workRules } from '@/lib/leads/work-rules'
import { epochDay } from '@/lib/time/stockholm'
import { isSwedishHoliday } from '@/lib/time/swedish-holidays'
import { addAnswers, noWork, quantile, workRow } from './answers'
import { interestTable } from './interest-table'
import { exact } from './rounding'

type Came = { at: string; done?: Partial<TriageEntry> }
type Asked = { today: string; firstDay?: string | null; goal?: number | null; since?: string }

/** How leads that came at these moments were answered; the second part of each is what was done about it. */
function answersOn(leads: readonly Came[], { today, firstDay = null, goal = 2, since = '2026-09-16' }: Asked) {
  const questions = leadTableOf(
    'asked-question',
    leads.map(({ at }, index) => question(`q${index}`, { createdAt: at })),
  )
  const tables = { questions, declarations: leadTableOf('declaration-of-interest', []) }
  const triage = new Map<string, TriageEntry>([['gone', { status: 'handled', assigneeId: null, updatedAt: 1 }]])
  for (const [index, { done }] of leads.entries())
    if (done) triage.set(`q${index}`, { status: 'new', assigneeId: null, updatedAt: null, ...done })
  const goals = { 'asked-question': goal, 'declaration-of-interest': null }
  const settings = { firstDay, openYear: null, goals, isHoliday: isSwedishHoliday }
  const work = noWork()
  addAnswers(() => work, interestTable(tables, tables, 'all', false).questions, {
    triage,
    rules: workRules('asked-question', Date.parse(`${today}T11:00:00Z`), settings),
    window: { from: epochDay(since), to: epochDay(today) },
    today: epochDay(today),
  })
  const { judged, withinGoal } = workRow([work], exact)
  return { judged, withinGoal, minutes: work.minutes }
}

const attempt = (at: string, outcome: AttemptEntry['outcome']): AttemptEntry => {
  return { id: Date.parse(at), at: Date.parse(at), userId: 'sara', channel: 'phone', outcome }
}
/** As the board keeps them. */
const tried = (...attempts: AttemptEntry[]) => ({ attempts, answeredAt: firstAnswer(attempts)?.at ?? null })
const sent = (at: string) => tried(attempt(at, 'sent'))
const handled = (at: string): Partial<TriageEntry> => ({ status: 'handled', updatedAt: Date.parse(at) })

describe('answers within the goal', () => {
  it('are judged by working days: Christmas and the weekend are none', () => {
    // Asked on Wednesday 23 December: two working days after are Monday 28 and Tuesday 29.
    const at = '2026-12-23T09:00:00Z'
    const both = ['2026-12-29T22:59:00Z', '2026-12-29T23:00:00Z'].map((when) => ({ at, done: sent(when) }))
    expect(answersOn(both, { today: '2027-01-11' })).toMatchObject({ judged: 2, withinGoal: 0.5 })
    expect(answersOn([{ at }], { today: '2026-12-29' }).judged, 'its last day is not over').toBe(0)
    expect(answersOn([{ at }], { today: '2026-12-30' })).toEqual({ judged: 1, withinGoal: 0, minutes: [] })
  })

  it.each([
    // Thursday 26 March: Friday and, after the clocks were put forward, Monday 30 until midnight, which is 22:00 UTC.
    ['2026-03-26T10:00:00Z', '2026-03-30T21:59:00Z', 1],
    ['2026-03-26T10:00:00Z', '2026-03-30T22:00:00Z', 0],
    // At 23:30 in Stockholm it is still Thursday, at 00:30 Friday.
    ['2026-03-26T22:30:00Z', '2026-03-30T21:00:00Z', 1],
    ['2026-03-26T23:30:00Z', '2026-03-31T21:00:00Z', 1],
  ])('end with the Stockholm day: asked at %s, answered at %s', (at, when, withinGoal) => {
    expect(answersOn([{ at, done: sent(when) }], { today: '2026-04-30', since: '2025-09-16' }).withinGoal).toBe(
      withinGoal,
    )
  })

  const at = '2026-11-16T08:00:00Z'
  const calls = [attempt('2026-11-16T09:00:00Z', 'no-answer'), attempt('2026-11-17T08:00:00Z', 'talked')] as const
  it.each<[string, Partial<TriageEntry>, object]>([
    [
      'begin with the first that was one',
      tried(...calls, attempt('2026-11-20T08:00:00Z', 'sent')),
      { minutes: [1440] },
    ],
    ['do not begin with trying', tried(calls[0]), { minutes: [], withinGoal: 0 }],
    ['begin while it is in progress', { ...sent('2026-11-17T08:00:00Z'), status: 'in-progress' }, { withinGoal: 1 }],
    ['begin when it is handled', handled('2026-11-16T09:30:00Z'), { withinGoal: 1, minutes: [90] }],
    ['begin before', { ...handled('2026-11-27T08:00:00Z'), ...sent('2026-11-16T10:00:00Z') }, { minutes: [120] }],
    ['never take less than nothing', handled('2026-11-16T07:00:00Z'), { minutes: [0] }],
    ['count what was put aside', { ...sent('2026-11-18T08:00:00Z'), snoozeUntil: '2026-11-18' }, { judged: 1 }],
    ['not what was dismissed', { status: 'dismissed', updatedAt: Date.parse(at) }, { judged: 0, minutes: [] }],
  ])('%s', (_, done, expected) => {
    expect(answersOn([{ at, done }], { today: '2026-11-30' })).toMatchObject(expected)
  })

  it('do not count what has no goal, is earlier than the work or came before the admission year', () => {
    const none = { judged: 0, withinGoal: null, minutes: [0] }
    for (const asked of [{ goal: null }, { firstDay: '2026-11-17' }, { since: '2026-11-17' }])
      expect(answersOn([{ at, done: sent(at) }], { today: '2026-11-30', ...asked })).toEqual(none)
  })
})

it.each([
  [[1, 2, 3, 4], 0.5, 2.5],
  [[7], 0.9, 7],
  [[], 0.5, null],
])('a quantile is as in SQL: %j at %d', (ascending, share, expected) => {
  expect(quantile(ascending, share)).toBe(expected)
})

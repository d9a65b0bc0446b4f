import { expect, it } from 'vitest'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { question } from '@/lib/leads/testing/leads'
import { type AttemptEntry, findFirstAnswer, type TriageEntry } from '@/lib/leads/triage-entry'
import { createWorkRules } from '@/lib/leads/work-rules'
import { parseIsoDay } from '@/lib/time/stockholm'
import { buildInterestTable } from './interest-table'
import { exactRounding } from './rounding'
import { addAnswers, createSchoolWork, toWorkRow } from './school-work'

type Asked = { today: string; firstDay?: string | null; goal?: number | null; since?: string }

/** How a question that came at this moment was answered, by what was done about it. */
function answered(createdAt: string, done: Partial<TriageEntry> | null, asked: Asked) {
  const { today, firstDay = null, goal = 2, since = '2026-09-16' } = asked
  const questions = leadTableOf('asked-question', [question('q', { createdAt })])
  const tables = { questions, declarations: leadTableOf('declaration-of-interest', []) }
  const untouched = { status: 'new', assigneeId: null, updatedAt: null } as const
  const triage = new Map<string, TriageEntry>([['gone', { ...untouched, status: 'handled', updatedAt: 1 }]])
  if (done !== null) triage.set('q', { ...untouched, ...done })
  const goals = { 'asked-question': goal, 'declaration-of-interest': null }
  const settings = { firstDay, openYear: null, goals }
  const work = createSchoolWork()
  const table = buildInterestTable({ tables, visibleTables: tables, scope: 'all', excludesHidden: false })
  addAnswers(() => work, table.questions, {
    triage,
    rules: createWorkRules('asked-question', Date.parse(`${today}T11:00:00Z`), settings),
    judgedWindow: { firstDay: parseIsoDay(since), lastDay: parseIsoDay(today) },
    todayEpochDay: parseIsoDay(today),
  })
  const { judgedCount, withinGoalShare } = toWorkRow([work], exactRounding)
  return { judged: judgedCount, withinGoal: withinGoalShare, minutes: work.answerMinutes }
}

const attempt = (at: string, outcome: AttemptEntry['outcome']): AttemptEntry => {
  return { id: Date.parse(at), attemptedAt: Date.parse(at), userId: 'sara', channel: 'phone', outcome }
}
/** As the board keeps them. */
const tried = (...attempts: AttemptEntry[]) => {
  return { attempts, answeredAt: findFirstAnswer(attempts)?.attemptedAt ?? null }
}
const sent = (at: string) => tried(attempt(at, 'sent'))
const handled = (at: string): Partial<TriageEntry> => ({ status: 'handled', updatedAt: Date.parse(at) })

it.each([
  // Asked on Wednesday 23 December: two working days after are Monday 28 and Tuesday 29, until midnight in Stockholm.
  ['2026-12-23T09:00:00Z', '2026-12-29T22:59:00Z', 1],
  ['2026-12-23T09:00:00Z', '2026-12-29T23:00:00Z', 0],
  // Asked on Thursday 26 March: Friday and, after the clocks were put forward, Monday 30 until midnight.
  ['2026-03-26T10:00:00Z', '2026-03-30T21:59:00Z', 1],
  ['2026-03-26T10:00:00Z', '2026-03-30T22:00:00Z', 0],
])('answers are judged by working days: asked at %s, answered at %s', (at, when, withinGoal) => {
  const work = answered(at, sent(when), { today: '2027-01-11', since: '2025-09-16' })
  expect(work).toMatchObject({ judged: 1, withinGoal })
})

it('a lead without an answer is judged when its last day is over', () => {
  expect(answered('2026-12-23T09:00:00Z', null, { today: '2026-12-29' }).judged).toBe(0)
  const missed = { judged: 1, withinGoal: 0, minutes: [] }
  expect(answered('2026-12-23T09:00:00Z', null, { today: '2026-12-30' })).toEqual(missed)
})

const at = '2026-11-16T08:00:00Z'
const call = attempt('2026-11-16T09:00:00Z', 'no-answer')
const talk = attempt('2026-11-17T08:00:00Z', 'talked')
const later = attempt('2026-11-20T08:00:00Z', 'sent')
it.each<[string, Partial<TriageEntry>, object]>([
  ['begin with the first that was one', tried(call, talk, later), { minutes: [1440] }],
  ['do not begin with trying', tried(call), { minutes: [], withinGoal: 0 }],
  ['begin while it is in progress', { ...sent('2026-11-17T08:00:00Z'), status: 'in-progress' }, { withinGoal: 1 }],
  ['begin when it is handled', handled('2026-11-16T09:30:00Z'), { withinGoal: 1, minutes: [90] }],
  ['begin before', { ...handled('2026-11-27T08:00:00Z'), ...sent('2026-11-16T10:00:00Z') }, { minutes: [120] }],
  ['never take less than nothing', handled('2026-11-16T07:00:00Z'), { minutes: [0] }],
  ['count what was put aside', { ...sent('2026-11-18T08:00:00Z'), snoozeUntil: '2026-11-18' }, { judged: 1 }],
  ['not what was dismissed', { status: 'dismissed', updatedAt: Date.parse(at) }, { judged: 0, minutes: [] }],
])('answers %s', (_, done, expected) => {
  expect(answered(at, done, { today: '2026-11-30' })).toMatchObject(expected)
})

it.each([{ goal: null }, { firstDay: '2026-11-17' }, { since: '2026-11-17' }])(
  'a lead without a goal, from before the work or from before the admission year is not judged, but timed (%j)',
  (asked) => {
    const unjudged = { judged: 0, withinGoal: null, minutes: [0] }
    expect(answered(at, sent(at), { today: '2026-11-30', ...asked })).toEqual(unjudged)
  },
)

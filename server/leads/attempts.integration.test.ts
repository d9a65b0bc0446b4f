import { desc } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { LeadFilter } from '@/lib/contract/list-query'
import { lastFollowUpDay } from '@/lib/inbox/follow-up-days'
import { question } from '@/lib/leads/testing/leads'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import { allow, type Viewer } from '@/server/access/viewer'
import { activity, attempts } from '@/server/base/schema'
import { ConflictError } from '@/server/base/errors'
import { listLeads } from './list-leads'
import { openTestDesk } from './testing/test-desk'
import { addAttempt, emptyAttempts, MAX_PER_LEAD } from './attempts'
import { setTriage } from './change-triage'
import { undoTriage } from './undo-triage'

const at = (id: string) => ({ kind: 'asked-question', id }) as const
/** A Friday. */
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
const HOUR_MS = 3_600_000

const desk = await openTestDesk()
const sara = await desk.person('sara', 'staff', ['norra'])
const omar = await desk.person('omar', 'staff', ['norra', 'sodra'])
afterAll(() => desk.close())
beforeEach(async () => {
  desk.time.ms = FRIDAY
  await emptyAttempts(desk.db, undefined, new Date(FRIDAY))
  desk.parts.triage.invalidate()
  desk.setQuestions([
    question('monday', { createdAt: '2026-11-16T09:00:00Z' }),
    question('today', { createdAt: '2026-11-20T07:00:00Z', email: 'a@example.se' }),
    question('elsewhere', { school: 'sodra' }),
  ])
})

type Did = Omit<Parameters<typeof addAttempt>[2], 'kind' | 'id'>
const tried = (viewer: Viewer, id: string, did: Did) =>
  addAttempt(desk.parts, allow(viewer, 'leads:reply'), { ...at(id), ...did })
const decide = (viewer: Viewer, id: string, change: object) =>
  setTriage(desk.parts, allow(viewer, 'leads:triage'), { leads: [at(id)], ...change })
const undone = (viewer: Viewer, undo: string | null, now = desk.parts.now) =>
  undoTriage({ ...desk.parts, now }, allow(viewer, 'leads:triage'), { undo: undo ?? '' })
const NO_ANSWER = { channel: 'phone', outcome: 'no-answer' } as const
const TALKED = { channel: 'phone', outcome: 'talked' } as const
const SENT = { channel: 'email', outcome: 'sent' } as const

async function items(viewer: Viewer, filter: LeadFilter & { sort?: 'waiting' } = {}) {
  const query = { offset: 0, limit: 50, ...filter }
  const page = await listLeads(desk.parts, allow(viewer, 'leads:read'), 'asked-questions', query)
  return 'askedQuestions' in page ? page.askedQuestions : []
}
const idsOf = async (viewer: Viewer, filter: LeadFilter & { sort?: 'waiting' }) =>
  (await items(viewer, filter)).map(({ id }) => id)
const one = async (viewer: Viewer, id: string) => (await items(viewer, { id: [id] }))[0]

describe('an attempt', () => {
  test('is visible to everybody who sees the lead: how often, how last, and by whom', async () => {
    await tried(sara, 'monday', NO_ANSWER)
    desk.time.ms += HOUR_MS
    await tried(omar, 'monday', NO_ANSWER)
    const last = { at: '2026-11-20T09:00:00.000Z', by: { id: 'omar', name: 'omar' }, channel: 'phone' }
    const monday = await one(sara, 'monday')
    expect(monday?.attempts).toEqual({ count: 2, alike: 2, last: { ...last, outcome: 'no-answer' } })
    expect(monday?.triage, 'and nothing is decided').toMatchObject({ status: 'new', updatedAt: null })
  })

  test('answers the lead when it was sent or they talked, and not when nobody answered', async () => {
    expect(await idsOf(sara, { answered: true })).toEqual([])
    await tried(sara, 'monday', NO_ANSWER)
    expect(await idsOf(sara, { answered: true })).toEqual([])
    expect(await idsOf(sara, { waiting: true })).toEqual(['today', 'monday'])
    await tried(sara, 'monday', SENT)
    expect(await idsOf(sara, { answered: true })).toEqual(['monday'])
    expect(await idsOf(sara, { answered: false })).toEqual(['today'])
    expect(await idsOf(sara, { waiting: true })).toEqual(['today'])
    expect(await idsOf(sara, { waiting: false })).toEqual(['monday'])
    expect(await one(sara, 'monday')).toMatchObject({ waitingSince: null, late: false, due: null })
  })

  test('decides about the lead in the same stroke, and both are taken back as one', async () => {
    const { undo } = await tried(sara, 'today', { ...SENT, status: 'handled' })
    expect(await one(sara, 'today')).toMatchObject({ triage: { status: 'handled' }, attempts: { count: 1 } })
    expect(await undone(sara, undo)).toEqual({ restored: 1, conflicts: 0 })
    expect(await one(sara, 'today')).toMatchObject({ triage: { status: 'new' }, attempts: { count: 0, last: null } })
    const [left] = await desk.db.select().from(attempts).orderBy(desc(attempts.id)).limit(1)
    expect(left, 'nothing of it stays').toMatchObject({ userId: null, channel: null, outcome: null })
  })

  test('that leaves the lead open makes it the user’s, unless a colleague has it', async () => {
    const kept = { ...TALKED, status: 'in-progress' } as const
    const { undo } = await tried(sara, 'today', kept)
    expect(await one(sara, 'today')).toMatchObject({ triage: { status: 'in-progress', assignee: { id: 'sara' } } })
    expect(await idsOf(sara, { assignee: ['me'] })).toEqual(['today'])
    await tried(omar, 'today', kept)
    expect(await one(sara, 'today')).toMatchObject({ triage: { status: 'in-progress', assignee: { id: 'sara' } } })
    expect(await undone(sara, undo)).toEqual({ restored: 1, conflicts: 0 })
    expect(await one(sara, 'today')).toMatchObject({ triage: { status: 'new', assignee: null } })
  })

  test('is noted once per key of its user, with the same way back', async () => {
    const did = { ...TALKED, status: 'handled', key: 'a-key-of-this-tab' } as const
    const first = await tried(sara, 'today', did)
    desk.time.ms += HOUR_MS
    const [again] = await Promise.all([tried(sara, 'today', did), tried(sara, 'today', did)])
    expect(again.attempt).toEqual(first.attempt)
    expect((await one(sara, 'today'))?.attempts.count).toBe(1)
    expect(await undone(sara, again.undo)).toEqual({ restored: 1, conflicts: 0 })
    expect(await one(sara, 'today')).toMatchObject({ triage: { status: 'new' }, attempts: { count: 0 } })
    const other = await tried(omar, 'today', did)
    expect((await one(sara, 'today'))?.attempts.count, 'a colleague’s key is another').toBe(1)
    await undone(omar, other.undo)
  })

  test('is one of two hundred on a lead at most, and what is taken back makes room', async () => {
    const { kind, id: leadId } = at('monday')
    const before = { ...NO_ANSWER, kind, leadId, userId: 'omar', at: new Date(FRIDAY) }
    await desk.db.insert(attempts).values(Array.from({ length: MAX_PER_LEAD - 1 }, () => before))
    const { undo } = await tried(sara, 'monday', NO_ANSWER)
    await expect(tried(sara, 'monday', NO_ANSWER)).rejects.toThrow(ConflictError)
    await undone(sara, undo)
    await tried(sara, 'monday', NO_ANSWER)
  })

  test('is in the log by ids, channel and outcome alone', async () => {
    await desk.db.delete(activity)
    await tried(sara, 'today', SENT)
    const [entry] = await desk.db.select().from(activity)
    expect(entry).toMatchObject({ action: 'attempt-logged', leadId: 'today', userId: 'sara' })
    expect(entry?.details).toEqual({ attempt: expect.any(Number), channel: 'email', outcome: 'sent' })
  })
})

describe('what waits', () => {
  test('is late when the goal of two working days is over, and the longest waiting comes first', async () => {
    expect(await idsOf(sara, { late: true })).toEqual(['monday'])
    expect(await idsOf(sara, { late: false })).toEqual(['today'])
    expect(await idsOf(omar, { sort: 'waiting' })).toEqual(['monday', 'elsewhere', 'today'])
    expect(await one(sara, 'monday')).toMatchObject({
      waitingSince: '2026-11-16T09:00:00.000Z',
      due: '2026-11-18',
      late: true,
    })
    expect(await one(sara, 'today')).toMatchObject({ due: '2026-11-24', late: false })
  })

  test('is put aside until seven in the morning of a day, and comes back by itself to be followed up', async () => {
    const { undo } = await decide(sara, 'monday', { snoozeUntil: '2026-11-23' })
    expect(await idsOf(omar, { snoozed: true })).toEqual(['monday'])
    expect(await idsOf(sara, { late: true })).toEqual([])
    expect(await one(sara, 'monday')).toMatchObject({ snoozeUntil: '2026-11-23', waitingSince: null, late: false })
    desk.time.ms = Date.parse('2026-11-23T05:59:00Z')
    expect(await idsOf(sara, { snoozed: true })).toEqual(['monday'])
    desk.time.ms = Date.parse('2026-11-23T06:00:00Z')
    expect(await idsOf(sara, { snoozed: true })).toEqual([])
    expect(await idsOf(sara, { followUp: true })).toEqual(['monday'])
    expect(await idsOf(sara, { late: true })).toEqual(['monday'])
    desk.time.ms = FRIDAY
    await undone(sara, undo, Date.now)
    expect(await one(sara, 'monday')).toMatchObject({ snoozeUntil: null, late: true })
  })

  test('is put aside for ten years at most, however it is said', async () => {
    const last = lastFollowUpDay(stockholmDay(desk.parts.now()))
    const tooFar = { snoozeUntil: addDays(last, 1) }
    const refused = { field: 'snoozeUntil', reason: 'too-far' }
    const call = { channel: 'phone', outcome: 'call-again' } as const
    await expect(tried(sara, 'today', { ...call, ...tooFar })).rejects.toMatchObject(refused)
    await expect(decide(sara, 'today', tooFar)).rejects.toMatchObject(refused)
    expect(await one(sara, 'today')).toMatchObject({ attempts: { count: 0 }, snoozeUntil: null })
    expect(await decide(sara, 'today', { snoozeUntil: last })).toMatchObject({ changed: [{ id: 'today' }] })
  })

  test('is put aside no longer once it is closed', async () => {
    await decide(sara, 'today', { snoozeUntil: '2026-12-01' })
    const { undo } = await decide(sara, 'today', { status: 'handled' })
    expect(await one(sara, 'today')).toMatchObject({ snoozeUntil: null, triage: { status: 'handled' } })
    await undone(sara, undo, Date.now)
    expect(await one(sara, 'today')).toMatchObject({ snoozeUntil: '2026-12-01', triage: { status: 'new' } })
  })
})

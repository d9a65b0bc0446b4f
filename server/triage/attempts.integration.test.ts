import { desc } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LeadFilter } from '@/lib/contract/list-query'
import { lastFollowUpDay } from '@/lib/inbox/follow-up-days'
import { question } from '@/lib/leads/testing/leads'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import { allow, makeViewer, type Viewer } from '@/server/access/viewer'
import { activity, attempts } from '@/server/db/schema'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/errors'
import { listLeads } from '@/server/leads/list-leads'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { addAttempt, emptyAttempts, MOST_ON_LEAD } from './attempts'
import { setTriage } from './change-triage'
import { undoTriage } from './undo-triage'

let desk: TestDesk
let sara: Viewer
let omar: Viewer
let karin: Viewer
const at = (id: string) => ({ kind: 'asked-question', id }) as const
/** A Friday. */
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
const HOUR_MS = 3_600_000

beforeAll(async () => {
  desk = await openTestDesk()
  sara = await desk.person('sara', 'staff', ['norra'])
  omar = await desk.person('omar', 'staff', ['norra', 'sodra'])
  karin = await desk.person('karin', 'manager', 'all')
})
afterAll(() => desk.close())
beforeEach(async () => {
  desk.time.ms = FRIDAY
  await emptyAttempts(desk.db, undefined, new Date(FRIDAY))
  desk.parts.triage.outdate()
  desk.setQuestions([
    question('monday', { createdAt: '2026-11-16T09:00:00Z' }),
    question('today', { createdAt: '2026-11-20T07:00:00Z', email: 'a@example.se' }),
    question('elsewhere', { school: 'sodra' }),
  ])
})

async function items(viewer: Viewer, filter: LeadFilter & { sort?: 'waiting' } = {}) {
  const page = await listLeads(desk.parts, allow(viewer, 'leads:read'), 'asked-questions', {
    offset: 0,
    limit: 50,
    ...filter,
  })
  return 'askedQuestions' in page ? page.askedQuestions : []
}
const idsOf = async (viewer: Viewer, filter: LeadFilter & { sort?: 'waiting' }) =>
  (await items(viewer, filter)).map(({ id }) => id)
const one = async (viewer: Viewer, id: string) => (await items(viewer, { id: [id] }))[0]

describe('an attempt', () => {
  test('is told to everybody who sees the lead: how often, how last, and by whom', async () => {
    await addAttempt(desk.parts, allow(sara, 'leads:reply'), {
      ...at('monday'),
      channel: 'phone',
      outcome: 'no-answer',
    })
    desk.time.ms += HOUR_MS
    await addAttempt(desk.parts, allow(omar, 'leads:reply'), {
      ...at('monday'),
      channel: 'phone',
      outcome: 'no-answer',
    })
    const last = { at: '2026-11-20T09:00:00.000Z', by: { id: 'omar', name: 'omar' }, channel: 'phone' }
    expect((await one(sara, 'monday'))?.attempts).toEqual({
      count: 2,
      alike: 2,
      last: { ...last, outcome: 'no-answer' },
    })
    expect((await one(sara, 'monday'))?.triage, 'and nothing is decided').toMatchObject({
      status: 'new',
      updatedAt: null,
    })
  })

  test('answers the lead when it was sent or they talked, and not when nobody answered', async () => {
    expect(await idsOf(sara, { answered: true })).toEqual([])
    await addAttempt(desk.parts, allow(sara, 'leads:reply'), {
      ...at('monday'),
      channel: 'phone',
      outcome: 'no-answer',
    })
    expect(await idsOf(sara, { answered: true })).toEqual([])
    expect(await idsOf(sara, { waiting: true })).toEqual(['today', 'monday'])
    await addAttempt(desk.parts, allow(sara, 'leads:reply'), { ...at('monday'), channel: 'email', outcome: 'sent' })
    expect(await idsOf(sara, { answered: true })).toEqual(['monday'])
    expect(await idsOf(sara, { answered: false })).toEqual(['today'])
    expect(await idsOf(sara, { waiting: true })).toEqual(['today'])
    expect(await idsOf(sara, { waiting: false })).toEqual(['monday'])
    expect(await one(sara, 'monday')).toMatchObject({ waitingSince: null, late: false, due: null })
  })

  test('decides about the lead in the same stroke, and both are taken back as one', async () => {
    const done = { channel: 'email', outcome: 'sent', status: 'handled' } as const
    const { undo } = await addAttempt(desk.parts, allow(sara, 'leads:reply'), { ...at('today'), ...done })
    expect(await one(sara, 'today')).toMatchObject({ triage: { status: 'handled' }, attempts: { count: 1 } })
    expect(await undoTriage(desk.parts, allow(sara, 'leads:triage'), { undo })).toEqual({ restored: 1, conflicts: 0 })
    expect(await one(sara, 'today')).toMatchObject({ triage: { status: 'new' }, attempts: { count: 0, last: null } })
    const [left] = await desk.db.select().from(attempts).orderBy(desc(attempts.id)).limit(1)
    expect(left, 'nothing of it stays').toMatchObject({ userId: null, channel: null, outcome: null })
  })

  test('is undone only by whoever made it, once, and within a day', async () => {
    const sent = { ...at('today'), channel: 'phone', outcome: 'talked' } as const
    const { undo } = await addAttempt(desk.parts, allow(sara, 'leads:reply'), sent)
    await expect(undoTriage(desk.parts, allow(omar, 'leads:triage'), { undo })).rejects.toThrow(InvalidInputError)
    expect(await undoTriage(desk.parts, allow(sara, 'leads:triage'), { undo })).toEqual({ restored: 1, conflicts: 0 })
    expect(await undoTriage(desk.parts, allow(sara, 'leads:triage'), { undo })).toEqual({ restored: 0, conflicts: 1 })
    const again = await addAttempt(desk.parts, allow(sara, 'leads:reply'), sent)
    desk.time.ms += 25 * HOUR_MS
    await expect(undoTriage(desk.parts, allow(sara, 'leads:triage'), { undo: again.undo })).rejects.toThrow(
      ConflictError,
    )
  })

  test('is not undone on a lead that is out of reach by now', async () => {
    const called = { ...at('elsewhere'), channel: 'phone', outcome: 'talked' } as const
    const { undo } = await addAttempt(desk.parts, allow(omar, 'leads:reply'), called)
    const moved = makeViewer({ id: 'omar', name: 'omar', email: 'o@skola.example', role: 'staff', schools: ['norra'] })
    const nothing = { restored: 0, conflicts: 1 }
    expect(await undoTriage(desk.parts, allow(moved, 'leads:triage'), { undo })).toEqual(nothing)
    expect((await one(omar, 'elsewhere'))?.attempts.count).toBe(1)
    expect(await undoTriage(desk.parts, allow(omar, 'leads:triage'), { undo })).toEqual({ restored: 1, conflicts: 0 })
  })

  test('is one of two hundred on a lead at most, and what is taken back makes room', async () => {
    const called = { ...at('monday'), channel: 'phone', outcome: 'no-answer' } as const
    const { id: leadId, ...what } = called
    const before = { ...what, leadId, userId: 'omar', at: new Date(FRIDAY) }
    await desk.db.insert(attempts).values(Array.from({ length: MOST_ON_LEAD - 1 }, () => before))
    const { undo } = await addAttempt(desk.parts, allow(sara, 'leads:reply'), called)
    await expect(addAttempt(desk.parts, allow(sara, 'leads:reply'), called)).rejects.toThrow(ConflictError)
    await undoTriage(desk.parts, allow(sara, 'leads:triage'), { undo })
    await addAttempt(desk.parts, allow(sara, 'leads:reply'), called)
  })

  test('is for leads in reach, by those who answer people', async () => {
    const called = { channel: 'phone', outcome: 'talked' } as const
    const elsewhere = addAttempt(desk.parts, allow(sara, 'leads:reply'), { ...at('elsewhere'), ...called })
    await expect(elsewhere).rejects.toThrow(NotFoundError)
    expect(() => allow(karin, 'leads:reply')).toThrow(ForbiddenError)
  })

  test('is in the log by ids, channel and outcome alone', async () => {
    await desk.db.delete(activity)
    await addAttempt(desk.parts, allow(sara, 'leads:reply'), { ...at('today'), channel: 'email', outcome: 'sent' })
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
    const change = { leads: [at('monday')], snoozeUntil: '2026-11-23' }
    const { undo } = await setTriage(desk.parts, allow(sara, 'leads:triage'), change)
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
    await undoTriage({ ...desk.parts, now: Date.now }, allow(sara, 'leads:triage'), { undo: undo ?? '' })
    expect(await one(sara, 'monday')).toMatchObject({ snoozeUntil: null, late: true })
  })

  test('is put aside for ten years at most, however it is said', async () => {
    const last = lastFollowUpDay(stockholmDay(desk.parts.now()))
    const tooFar = addDays(last, 1)
    const call = { kind: 'asked-question', id: 'today', channel: 'phone', outcome: 'call-again' } as const
    const triages = allow(sara, 'leads:triage')
    const leads = [{ kind: call.kind, id: call.id }]
    const refused = { field: 'snoozeUntil', reason: 'too-far' }
    await expect(
      addAttempt(desk.parts, allow(sara, 'leads:reply'), { ...call, snoozeUntil: tooFar }),
    ).rejects.toMatchObject(refused)
    await expect(setTriage(desk.parts, triages, { leads, snoozeUntil: tooFar })).rejects.toMatchObject(refused)
    expect((await items(sara)).find(({ id }) => id === 'today')).toMatchObject({
      attempts: { count: 0 },
      snoozeUntil: null,
    })
    expect(await setTriage(desk.parts, triages, { leads, snoozeUntil: last })).toMatchObject({
      changed: [{ id: 'today' }],
    })
  })

  test('is put aside no longer once it is closed', async () => {
    await setTriage(desk.parts, allow(sara, 'leads:triage'), { leads: [at('today')], snoozeUntil: '2026-12-01' })
    const { undo } = await setTriage(desk.parts, allow(sara, 'leads:triage'), {
      leads: [at('today')],
      status: 'handled',
    })
    expect(await one(sara, 'today')).toMatchObject({ snoozeUntil: null, triage: { status: 'handled' } })
    await undoTriage({ ...desk.parts, now: Date.now }, allow(sara, 'leads:triage'), { undo: undo ?? '' })
    expect(await one(sara, 'today')).toMatchObject({ snoozeUntil: '2026-12-01', triage: { status: 'new' } })
  })
})

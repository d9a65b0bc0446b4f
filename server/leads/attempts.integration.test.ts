import { desc } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { LeadQuery } from '@/lib/contract/list-query'
import { question } from '@/lib/leads/testing/leads'
import { HOUR_MS } from '@/lib/time/durations'
import type { Replier } from '@/server/access/viewer'
import { ConflictError } from '@/server/base/errors'
import { activity, attempts } from '@/server/base/schema'
import { addAttempt, clearAttempts, MAX_ATTEMPTS_PER_LEAD } from './attempts'
import { openTestDesk } from './testing/test-desk'

const asked = (id: string) => ({ kind: 'asked-question', id }) as const
/** A Friday. */
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')

const desk = await openTestDesk()
const sara = await desk.addPerson('sara', 'staff', ['norra'])
const omar = await desk.addPerson('omar', 'staff', ['norra', 'sodra'])
afterAll(() => desk.close())
beforeEach(async () => {
  desk.time.ms = FRIDAY
  await clearAttempts(desk.db, undefined, new Date(FRIDAY))
  await desk.db.delete(activity)
  desk.setQuestions([
    question('monday', { createdAt: '2026-11-16T09:00:00Z' }),
    question('today', { createdAt: '2026-11-20T07:00:00Z' }),
    question('elsewhere', { school: 'sodra' }),
  ])
})

type Did = Omit<Parameters<typeof addAttempt>[2], 'kind' | 'id'>
const tried = (viewer: Replier, id: string, did: Did) => addAttempt(desk.parts, viewer, { ...asked(id), ...did })
const NO_ANSWER = { channel: 'phone', outcome: 'no-answer' } as const
const TALKED = { channel: 'phone', outcome: 'talked' } as const
const SENT = { channel: 'email', outcome: 'sent' } as const

const idsOf = async (viewer: Replier, query: Partial<LeadQuery>) =>
  (await desk.listItems(viewer, 'asked-questions', query)).map(({ id }) => id)
const sarasLead = async (id: string) => (await desk.listItems(sara, 'asked-questions', { id: [id] }))[0]

describe('an attempt', () => {
  test('is seen by all who see the lead, and logged by ids, channel and outcome alone', async () => {
    await tried(sara, 'monday', NO_ANSWER)
    desk.time.ms += HOUR_MS
    await tried(omar, 'monday', NO_ANSWER)
    const last = { at: '2026-11-20T09:00:00.000Z', by: { id: 'omar', name: 'omar' }, ...NO_ANSWER }
    expect(await sarasLead('monday')).toMatchObject({
      attempts: { count: 2, alike: 2, last },
      triage: { status: 'new', updatedAt: null },
      due: '2026-11-18',
    })
    const [entry] = await desk.db.select().from(activity)
    expect(entry).toMatchObject({ action: 'attempt-logged', leadId: 'monday', userId: 'sara' })
    expect(entry?.details).toEqual({ attempt: expect.any(Number), ...NO_ANSWER })
  })

  test('answers the lead when a mail was sent or they talked, not when nobody answered', async () => {
    await tried(sara, 'monday', NO_ANSWER)
    expect(await idsOf(sara, { answered: false })).toEqual(['today', 'monday'])
    expect(await idsOf(sara, { waiting: true })).toEqual(['today', 'monday'])
    await tried(sara, 'monday', SENT)
    expect(await idsOf(sara, { answered: true })).toEqual(['monday'])
    expect(await idsOf(sara, { waiting: true })).toEqual(['today'])
    expect(await sarasLead('monday')).toMatchObject({ waitingSince: null, late: false, due: null })
  })

  test('and its decision are noted and undone as one, and nothing of it stays', async () => {
    const { undo } = await tried(sara, 'today', { ...SENT, status: 'handled' })
    expect(await sarasLead('today')).toMatchObject({ triage: { status: 'handled' }, attempts: { count: 1 } })
    expect(await desk.undo(sara, undo)).toEqual({ restored: 1, conflicts: 0 })
    expect(await sarasLead('today')).toMatchObject({ triage: { status: 'new' }, attempts: { count: 0, last: null } })
    const [left] = await desk.db.select().from(attempts).orderBy(desc(attempts.id)).limit(1)
    expect(left).toMatchObject({ userId: null, channel: null, outcome: null })
    expect(await desk.undo(sara, undo), 'a second time').toEqual({ restored: 0, conflicts: 1 })
    desk.setQuestions([question('erased')])
    const again = await tried(sara, 'erased', { ...SENT, status: 'handled' })
    await desk.db.delete(activity)
    const undone = await desk.undo(sara, again.undo)
    expect(undone, 'without its decision in the log').toEqual({ restored: 1, conflicts: 0 })
  })

  test('that leaves the lead open assigns it to the user, unless a colleague has it', async () => {
    const open = { ...TALKED, status: 'in-progress' } as const
    const { undo } = await tried(sara, 'today', open)
    expect(await idsOf(sara, { assignee: ['me'] })).toEqual(['today'])
    await tried(omar, 'today', open)
    expect(await sarasLead('today')).toMatchObject({ triage: { status: 'in-progress', assignee: { id: 'sara' } } })
    expect(await desk.undo(sara, undo)).toEqual({ restored: 1, conflicts: 0 })
    expect(await sarasLead('today')).toMatchObject({ triage: { status: 'new', assignee: null } })
  })

  test('is noted once for each key of a user, and undone by any of the answers', async () => {
    const did = { ...TALKED, status: 'handled', key: 'a-key-of-this-tab' } as const
    const first = await tried(sara, 'today', did)
    desk.time.ms += HOUR_MS
    const [again] = await Promise.all([tried(sara, 'today', did), tried(sara, 'today', did)])
    expect(again.attempt).toEqual(first.attempt)
    expect((await sarasLead('today'))?.attempts.count).toBe(1)
    expect(await desk.undo(sara, again.undo)).toEqual({ restored: 1, conflicts: 0 })
    expect(await sarasLead('today')).toMatchObject({ triage: { status: 'new' }, attempts: { count: 0 } })
  })

  test('is one of two hundred on a lead at most, and an undone one makes room', async () => {
    const { kind, id: leadId } = asked('monday')
    const before = { ...NO_ANSWER, kind, leadId, userId: 'omar', madeAt: new Date(FRIDAY) }
    await desk.db.insert(attempts).values(Array.from({ length: MAX_ATTEMPTS_PER_LEAD - 1 }, () => before))
    const { undo } = await tried(sara, 'monday', NO_ANSWER)
    await expect(tried(sara, 'monday', NO_ANSWER)).rejects.toThrow(ConflictError)
    await desk.undo(sara, undo)
    await tried(sara, 'monday', NO_ANSWER)
  })
})

test('a lead neither waits nor is late while it is snoozed, and is snoozed no longer once it is closed', async () => {
  const snoozed = { snoozeUntil: '2026-12-01', waitingSince: null, late: false }
  const snooze = await desk.decide(sara, [asked('monday')], { snoozeUntil: '2026-12-01' })
  expect(await sarasLead('monday')).toMatchObject(snoozed)
  const close = await desk.decide(sara, [asked('monday')], { status: 'handled' })
  expect(await sarasLead('monday')).toMatchObject({ snoozeUntil: null, triage: { status: 'handled' } })
  await desk.undo(sara, close.undo)
  expect(await sarasLead('monday')).toMatchObject({ ...snoozed, triage: { status: 'new' } })
  await desk.undo(sara, snooze.undo)
  expect(await sarasLead('monday')).toMatchObject({ snoozeUntil: null, late: true })
})

import { isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Reply } from '@/lib/contract/attempts'
import { question } from '@/lib/leads/testing/leads'
import { allow, type Viewer } from '@/server/access/viewer'
import { mails } from '@/server/db/job-schema'
import { activity, attempts } from '@/server/db/schema'
import { ConflictError, NotFoundError } from '@/server/errors'
import { listLeads } from '@/server/leads/list-leads'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { emptyAttempts } from '@/server/triage/attempts'
import { leadHistory } from './lead-history'
import { sendReply } from './replies'
import { ABANDONED_MS } from './mails'
import { settleReply } from './settle-reply'
import { openMailServer } from './testing/mail-server'
import { replyInstance } from './testing/reply-instance'

let desk: TestDesk
let server: Awaited<ReturnType<typeof openMailServer>>
let sara: Viewer
let lotta: Viewer
let omar: Viewer
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
const lead = { kind: 'asked-question', id: 'asked' } as const
const reply: Reply = { ...lead, subject: 'Svar', body: 'Hej Elsa!', key: 'draft-0001' }

beforeAll(async () => {
  server = await openMailServer()
  desk = await openTestDesk()
  sara = await desk.person('sara', 'staff', ['norra'])
  lotta = await desk.person('lotta', 'staff', ['norra'])
  omar = await desk.person('omar', 'staff', ['sodra'])
})
afterAll(() => Promise.all([desk.close(), server.close()]))
beforeEach(async () => {
  await emptyAttempts(desk.db, undefined, new Date(FRIDAY))
  await desk.db.delete(mails)
  await desk.db.delete(activity)
  server.state.manner = 'dies-after'
  server.taken.length = 0
  desk.time.ms = FRIDAY
  desk.parts.triage.outdate()
  desk.setQuestions([question('asked', { email: 'elsa.ek@elev.example' }), question('second', {})])
})

const send = (parts: Parameters<typeof sendReply>[0] = replyInstance({ desk, server })) =>
  sendReply(parts, allow(sara, 'leads:reply'), reply)
const settle = (wasSent: boolean, attempt: string, viewer = lotta, id = 'asked') =>
  settleReply(desk.parts, allow(viewer, 'leads:reply'), { ...lead, id, attempt, wasSent })
/** As colleagues see it. */
const shown = async () => {
  desk.parts.triage.outdate()
  const page = await listLeads(desk.parts, allow(lotta, 'leads:read'), 'asked-questions', { offset: 0, limit: 9 })
  return 'askedQuestions' in page ? page.askedQuestions.find(({ id }) => id === 'asked')?.attempts : undefined
}
const told = async () => (await leadHistory(desk.parts, allow(lotta, 'leads:read'), lead)).events
const unsureId = async () => {
  const [row] = await desk.db.select().from(attempts).where(isNotNull(attempts.outcome))
  return String(row?.id)
}

test('a mail whose fate is unsure stands on the lead and in its log, and counts', async () => {
  await expect(send()).rejects.toMatchObject({ reason: 'unsure' })
  const at = new Date(FRIDAY).toISOString()
  expect(await shown()).toEqual({
    count: 1,
    last: { at, by: { id: 'sara', name: 'sara' }, channel: 'email', outcome: 'unsure' },
    unsure: { id: await unsureId(), at },
  })
  expect(await told()).toMatchObject([{ what: 'attempt', outcome: 'unsure', by: { id: 'sara' } }])
  expect(await desk.db.select().from(mails)).toMatchObject([{ state: 'unsure', sender: 'reply sara' }])
})

test('a colleague says that it was sent: it is noted as the sender’s, once, and the same is not sent again', async () => {
  await send().catch(() => {})
  const id = await unsureId()
  desk.time.ms += 3_600_000
  expect(await settle(true, id)).toEqual({ wasSent: true })
  const attempt = await shown()
  expect(attempt).toMatchObject({ count: 1, last: { outcome: 'sent', by: { id: 'sara' } } })
  expect(attempt).not.toHaveProperty('unsure')
  expect(await told()).toMatchObject([{ outcome: 'sent', by: { id: 'sara' } }])
  const log = await desk.db.select().from(activity)
  expect(log.map(({ userId, action }) => [userId, action])).toEqual([
    ['sara', 'attempt-logged'],
    ['lotta', 'attempt-logged'],
  ])
  await expect(settle(false, id)).rejects.toThrow(ConflictError)
  expect((await send()).attempt).toMatchObject({ id, outcome: 'sent' })
  expect(server.taken).toHaveLength(1)
})

test('that it was not: the lead is as before, it counts on, and the same may be sent again', async () => {
  await send().catch(() => {})
  await settle(false, await unsureId())
  expect(await shown()).toEqual({ count: 0, last: null })
  expect(await told()).toMatchObject([{ outcome: 'unsure', undone: true }])
  server.state.manner = 'takes'
  await send()
  expect(server.taken).toHaveLength(2)
  expect(await shown()).toMatchObject({ count: 1, last: { outcome: 'sent' } })
  expect(await desk.db.$count(mails)).toBe(2)
})

test('after a process was killed while it sent, it stands there; before, nobody can say', async () => {
  const dying = replyInstance({ desk, server })
  void send({ ...dying, mailer: { ...dying.mailer, send: () => new Promise(() => {}) } })
  await expect.poll(() => desk.db.$count(attempts, isNotNull(attempts.outcome))).toBe(1)
  const id = await unsureId()
  await expect(settle(true, id)).rejects.toThrow('being sent')
  desk.time.ms += ABANDONED_MS + 1
  expect(await shown()).toMatchObject({ unsure: { id } })
  await settle(true, id)
  expect(await told()).toMatchObject([{ outcome: 'sent', by: { id: 'sara' } }])
})

test('what the mail server is known to have taken is never declared as not sent, and ends up as sent', async () => {
  server.state.manner = 'takes'
  const instance = replyInstance({ desk, server })
  let away = 0
  const sendAndLose = async (mail: Parameters<typeof instance.mailer.send>[0]) => {
    const delivery = await instance.mailer.send(mail)
    away = 6
    return delivery
  }
  const connect = async () => {
    if (away-- > 0) throw new Error('The database is away')
    return desk.parts.connect()
  }
  // The name is marked as sent, and the lead is not noted while the person waits, nor later.
  const wait = (ms: number) => (ms < 10_000 ? Promise.resolve() : new Promise(() => {}))
  const answer = await send({ ...instance, mailer: { ...instance.mailer, send: sendAndLose }, connect, wait })
  expect(answer).toEqual({ attempt: null, undo: '' })
  expect(await desk.db.select().from(mails)).toMatchObject([{ state: 'sent' }])
  const id = await unsureId()
  await expect(settle(false, id)).rejects.toThrow(ConflictError)
  expect(await shown()).toMatchObject({ count: 1, last: { outcome: 'sent', by: { id: 'sara' } } })
  expect(await told()).toMatchObject([{ outcome: 'sent', by: { id: 'sara' } }])
  expect((await send()).attempt).toMatchObject({ id, outcome: 'sent' })
  expect(server.taken).toHaveLength(1)
})

test('only on that lead, within reach, and of what is unsure', async () => {
  await send().catch(() => {})
  const id = await unsureId()
  await expect(settle(true, id, omar)).rejects.toThrow(NotFoundError)
  await expect(settle(true, id, lotta, 'second')).rejects.toThrow(ConflictError)
  await expect(settle(true, '999999999')).rejects.toThrow(ConflictError)
  expect(await shown()).toMatchObject({ unsure: { id } })
})

import { beforeEach, expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { activity, mails } from '@/server/base/schema'
import { ConflictError } from '@/server/base/errors'
import { listLeads } from './list-leads'
import { leadHistory } from './lead-history'
import { ABANDONED_MS } from '@/server/replies/mails'
import { settleReply } from '@/server/replies/replies'
import { ELSA, FRIDAY, useReplyDesk } from './testing/reply-desk'

const lead = { kind: 'asked-question', id: 'asked' } as const
const { it, instance, noted, send: sendAs } = useReplyDesk()
beforeEach(() => {
  it.server.state.manner = 'dies-after'
  it.desk.setQuestions([question('asked', { email: ELSA }), question('second', {})])
})

const send = (parts: Parameters<typeof sendAs>[2] = instance()) => sendAs({}, it.sara, parts)
const settle = (wasSent: boolean, attempt: string, viewer = it.lotta, id = 'asked') =>
  settleReply(it.desk.parts, allow(viewer, 'leads:reply'), { ...lead, id, attempt, wasSent })
/** As colleagues see it. */
const shown = async () => {
  it.desk.parts.triage.invalidate()
  const page = await listLeads(it.desk.parts, allow(it.lotta, 'leads:read'), 'asked-questions', { offset: 0, limit: 9 })
  return 'askedQuestions' in page ? page.askedQuestions.find(({ id }) => id === 'asked')?.attempts : undefined
}
const history = async () => (await leadHistory(it.desk.parts, allow(it.lotta, 'leads:read'), lead)).events
const unsureId = async () => String((await noted())[0]?.id)

test('a mail whose fate is unsure is on the lead and in its log, and counts', async () => {
  await expect(send()).rejects.toMatchObject({ reason: 'unsure' })
  const at = new Date(FRIDAY).toISOString()
  expect(await shown()).toEqual({
    count: 1,
    last: { at, by: { id: 'sara', name: 'sara' }, channel: 'email', outcome: 'unsure' },
    unsure: { id: await unsureId(), at },
  })
  expect(await history()).toMatchObject([{ what: 'attempt', outcome: 'unsure', by: { id: 'sara' } }])
  expect(await it.desk.db.select().from(mails)).toMatchObject([{ state: 'unsure', sender: 'reply sara' }])
})

test('a colleague says that it was sent: it is noted as the sender’s, once, and the same is not sent again', async () => {
  await send().catch(() => {})
  const id = await unsureId()
  it.desk.time.ms += 3_600_000
  expect(await settle(true, id)).toEqual({ wasSent: true })
  const attempt = await shown()
  expect(attempt).toMatchObject({ count: 1, last: { outcome: 'sent', by: { id: 'sara' } } })
  expect(attempt).not.toHaveProperty('unsure')
  expect(await history()).toMatchObject([{ outcome: 'sent', by: { id: 'sara' } }])
  const log = await it.desk.db.select().from(activity)
  expect(log.map(({ userId, action }) => [userId, action])).toEqual([
    ['sara', 'attempt-logged'],
    ['lotta', 'attempt-logged'],
  ])
  await expect(settle(false, id)).rejects.toThrow(ConflictError)
  expect((await send()).attempt).toMatchObject({ id, outcome: 'sent' })
  expect(it.server.taken).toHaveLength(1)
})

test('that it was not: the lead is as before, it counts on, and the same may be sent again', async () => {
  await send().catch(() => {})
  await settle(false, await unsureId())
  expect(await shown()).toEqual({ count: 0, last: null })
  expect(await history()).toMatchObject([{ outcome: 'unsure', undone: true }])
  it.server.state.manner = 'takes'
  await send()
  expect(it.server.taken).toHaveLength(2)
  expect(await shown()).toMatchObject({ count: 1, last: { outcome: 'sent' } })
  expect(await it.desk.db.$count(mails)).toBe(2)
})

test('after a process was killed while it sent, it is there; before, its fate is unknown', async () => {
  const dying = instance()
  void send({ ...dying, mailer: { ...dying.mailer, send: () => new Promise(() => {}) } })
  await expect.poll(noted).toHaveLength(1)
  const id = await unsureId()
  await expect(settle(true, id)).rejects.toThrow('being sent')
  it.desk.time.ms += ABANDONED_MS + 1
  expect(await shown()).toMatchObject({ unsure: { id } })
  await expect(send(), 'the same is not sent in silence').rejects.toMatchObject({ reason: 'unsure' })
  expect(it.server.taken).toEqual([])
  await settle(true, id)
  expect(await history()).toMatchObject([{ outcome: 'sent', by: { id: 'sara' } }])
})

test('what the mail server is known to have taken is never declared as not sent, and ends up as sent', async () => {
  it.server.state.manner = 'takes'
  const sender = instance()
  let away = 0
  const sendAndLose = async (mail: Parameters<typeof sender.mailer.send>[0]) => {
    const delivery = await sender.mailer.send(mail)
    away = 6
    return delivery
  }
  const connect = async () => {
    if (away-- > 0) throw new Error('The database is away')
    return it.desk.parts.connect()
  }
  // The name is marked as sent, and the lead is not noted while the person waits, nor later.
  const wait = (ms: number) => (ms < 10_000 ? Promise.resolve() : new Promise(() => {}))
  const answer = await send({ ...sender, mailer: { ...sender.mailer, send: sendAndLose }, connect, wait })
  expect(answer).toEqual({ attempt: null, undo: '' })
  expect(await it.desk.db.select().from(mails)).toMatchObject([{ state: 'sent' }])
  const id = await unsureId()
  await expect(settle(false, id)).rejects.toThrow(ConflictError)
  expect(await shown()).toMatchObject({ count: 1, last: { outcome: 'sent', by: { id: 'sara' } } })
  expect(await history()).toMatchObject([{ outcome: 'sent', by: { id: 'sara' } }])
  expect((await send()).attempt).toMatchObject({ id, outcome: 'sent' })
  expect(it.server.taken).toHaveLength(1)
})

test('only on that lead, and of what is unsure', async () => {
  await send().catch(() => {})
  const id = await unsureId()
  await expect(settle(true, id, it.lotta, 'second')).rejects.toThrow(ConflictError)
  await expect(settle(true, '999999999')).rejects.toThrow(ConflictError)
  expect(await shown()).toMatchObject({ unsure: { id } })
})

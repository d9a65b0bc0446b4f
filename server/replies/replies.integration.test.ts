import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import { ForbiddenError, MailNotSentError, NotFoundError, NotReadyError } from '@/server/base/errors'
import { createLogger } from '@/server/base/logger'
import { activity, mails } from '@/server/base/schema'
import { allTables } from '@/server/base/testing/in-memory'
import { errorResponse } from '@/server/http/responses'
import { undoTriage } from '@/server/leads/undo-triage'
import { protectPerson } from '@/server/privacy/protect'
import { testServices } from '@/server/testing/services'
import { getReplyWays } from './replies'
import { testMail } from './test-mail'
import { ELSA, failed, useReplyDesk } from './testing/reply-desk'

const { it, lines, instance, send, noted } = useReplyDesk()
const asked = question('asked', { email: ELSA })
beforeEach(() =>
  it.desk.setQuestions([
    asked,
    question('called', { mode: 'phone', email: null, phone: '0701234567' }),
    question('odd', { email: 'a@x.se, b@x.se' }),
  ]),
)
const undone = (undo: string) => undoTriage(it.desk.parts, allow(it.sara, 'leads:triage'), { undo })
const away = async () => {
  throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
}

describe('a reply', () => {
  test('goes to the address of the lead, and is noted with what was decided', async () => {
    const { attempt, undo } = await send({ status: 'handled' })
    expect(attempt).toMatchObject({ channel: 'email', outcome: 'sent', by: { id: 'sara', name: 'sara' } })
    expect(it.server.taken).toMatchObject([{ to: [ELSA] }])
    expect(await noted()).toMatchObject([{ leadId: 'asked', userId: 'sara', outcome: 'sent' }])
    expect(await undone(undo)).toEqual({ restored: 1, conflicts: 0 })
    expect(await noted(), 'that it was sent cannot be undone').toMatchObject([{ outcome: 'sent' }])
    expect((await it.desk.parts.triage.current('asked-question')).get('asked')?.status).toBe('new')
  })

  test('is answered at the school, where it has an address', async () => {
    const { work } = it.desk.parts
    const settings = { ...(await work.settings()), replyTo: { norra: 'norra@skola.example' } }
    const sent = await send({}, it.sara, instance({ work: { ...work, settings: async () => settings } }))
    expect(sent.undo, 'what decides nothing').toBe('')
    expect(it.server.taken[0]?.text).toContain('Reply-To: norra@skola.example')
  })

  test('leaves as the school chose; of the ways one gets those of the own schools', async () => {
    const { work } = it.desk.parts
    const chose = async (norra: 'gmail' | 'intag', change = {}) => {
      const settings = { ...(await work.settings()), mailWay: { norra, vastra: 'outlook' as const } }
      const services = instance({ work: { ...work, settings: async () => settings }, ...change })
      return getReplyWays(services, allow(it.sara, 'leads:reply'))
    }
    expect(await chose('gmail')).toEqual({ canSend: true, ways: { norra: 'gmail' } })
    expect(await chose('intag')).toMatchObject({ ways: { norra: 'intag' } })
    expect(await chose('intag', { mailer: null }), 'Intag cannot send').toEqual({ canSend: false, ways: {} })
  })

  test('is refused where there is nobody to write to, out of scope, or without a mail server', async () => {
    expect(await failed(send({ id: 'called' }))).toBe('no-address')
    expect(await failed(send({ id: 'odd' }))).toBe('no-address')
    await expect(send({}, it.omar)).rejects.toThrow(NotFoundError)
    expect(await failed(send({}, it.sara, instance({ mailer: null })))).toBe('mail-not-set-up')
    expect(it.server.taken).toEqual([])
    expect(await it.desk.db.select().from(mails)).toEqual([])
  })

  test('goes to nobody whose identity is protected from the one who writes', async () => {
    const admin = allow(await it.desk.person('anna', 'admin', 'all'), 'admin')
    const contact = it.desk.parts.contactIds.encrypt('asked-question', asked)
    const given = { contact, emails: [ELSA], phones: [], reason: 'skydd' }
    await protectPerson(testServices(it.desk.parts), admin, { ...given, people: [admin.id] })
    await expect(send()).rejects.toThrow(ForbiddenError)
    await it.desk.db.delete(protectedPersons)
    it.desk.parts.protections.invalidate()
    expect(it.server.taken).toEqual([])
  })
})

describe('the same key again', () => {
  test('sends nothing: clicks at the same moment on two instances, and a browser that never got the answer', async () => {
    it.server.state.slowMs = 50
    const first = send({ status: 'handled' })
    await expect.poll(() => it.server.taken).toHaveLength(1)
    await expect(send({ status: 'handled' }), 'while it is being sent').rejects.toThrow(NotReadyError)
    const { attempt } = await first
    const again = await send({ status: 'handled' })
    expect(again.attempt).toEqual(attempt)
    expect(it.server.taken).toHaveLength(1)
    expect(await noted()).toHaveLength(1)
    expect(await undone(again.undo)).toMatchObject({ restored: 1 })
  })

  test.each([
    ['refuses-recipient', 'recipient'],
    ['dies-after', 'unknown'],
  ] as const)('answers what came of it: %s', async (manner, reason) => {
    it.server.state.manner = manner
    expect(await failed(send({ status: 'handled' }))).toBe(reason)
    it.server.state.manner = 'takes'
    const taken = it.server.taken.length
    expect(await failed(send({ status: 'handled' }))).toBe(reason)
    expect(it.server.taken).toHaveLength(taken)
    expect(await noted(), 'the lead is as before').toEqual([])
    await send({ key: 'draft-0002' })
    expect(it.server.taken, 'who wants to, sends it by another key').toHaveLength(taken + 1)
  })

  test('is of unknown outcome when the process was killed while it sent', async () => {
    const mailer = { ...instance().mailer, send: () => new Promise(() => {}) } as never
    void send({}, it.sara, instance({ mailer }))
    await expect.poll(() => it.desk.db.$count(mails)).toBe(1)
    it.desk.time.ms += 100_000
    expect(await failed(send())).toBe('unknown')
    expect(it.server.taken).toEqual([])
  })

  test('is another mail about another lead, or of another person', async () => {
    it.desk.setQuestions([asked, question('second', { email: 'bo@elev.example' })])
    await send()
    await send({ id: 'second' })
    await send({}, it.lotta)
    expect((await noted()).map(({ leadId }) => leadId)).toEqual(['asked', 'second', 'asked'])
    expect(it.server.taken.map(({ to }) => to)).toEqual([[ELSA], ['bo@elev.example'], [ELSA]])
  })
})

test('what failed is answered with a status and a reason without an address in it', async () => {
  it.server.state.manner = 'refuses-recipient'
  const answer = errorResponse(await send().catch((error: unknown) => error), { isChange: true })
  expect(answer.status).toBe(502)
  const text = await answer.text()
  expect(JSON.parse(text)).toMatchObject({ reason: 'recipient' })
  expect(text).not.toContain('elsa')
  expect(errorResponse(new MailNotSentError('mail-not-set-up')).status).toBe(503)
  expect(errorResponse(new MailNotSentError('no-address')).status).toBe(409)
})

test('without the database nothing is sent; if it goes while the mail is sent, the user still learns that it was', async () => {
  await expect(send({}, it.sara, instance({ connect: away }))).rejects.toThrow('away')
  expect(it.server.taken).toEqual([])
  const connect = async () => (it.server.taken.length > 0 ? away() : it.desk.db)
  expect(await send({}, it.sara, instance({ connect }))).toEqual({ attempt: null, undo: '' })
  expect(lines.join()).toContain('a mail was sent and could not be noted')
})

test('a test message goes to the administrator, and its outcome is logged', async () => {
  const admin = allow(await it.desk.person('admin', 'admin', 'all'), 'admin')
  expect(await testMail(instance(), admin)).toEqual({ outcome: 'sent', detail: '' })
  expect(it.server.taken[0]?.to).toEqual(['admin@skola.example'])
  it.server.state.manner = 'refuses-sender'
  expect(await testMail(instance(), admin)).toMatchObject({ outcome: 'refused' })
  const logged = await it.desk.db
    .select()
    .from(activity)
    .where(sql`${activity.action} = 'mail-tested'`)
  expect(logged.map(({ details }) => details)).toEqual([{ outcome: 'sent' }, { outcome: 'refused' }])
})

test('nothing of what was written, and not whom to, stays in the database or the log', async () => {
  const logger = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
  for (const manner of ['takes', 'refuses-recipient', 'dies-after'] as const) {
    it.server.state.manner = manner
    const err = await send({ key: `draft-${manner}`, status: 'in-progress' }).catch((error: unknown) => error)
    if (err instanceof Error) logger.error({ err }, 'request failed')
  }
  expect(lines.length).toBeGreaterThan(1)
  const rows = await Promise.all(
    allTables.map((name) =>
      it.desk.db.execute(sql`select row_to_json(t)::text as row from ${sql.identifier(name)} as t`),
    ),
  )
  const dump = JSON.stringify(rows)
  expect(dump, 'the dump has what was done').toContain('attempt-logged')
  for (const word of ['elsa', 'elev.example', 'naturprogrammet', 'öppet hus', 'draft-'])
    expect([dump, ...lines].join('\n').toLowerCase()).not.toContain(word)
})

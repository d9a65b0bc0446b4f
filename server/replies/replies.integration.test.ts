import { eq, isNotNull, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Reply } from '@/lib/contract/attempts'
import type { WorkSettings } from '@/lib/contract/settings'
import { question } from '@/lib/leads/testing/leads'
import { protectedPersons } from '@/server/base/access-schema'
import { ForbiddenError, MailNotSentError, NotFoundError, NotReadyError } from '@/server/base/errors'
import { createLogger } from '@/server/base/logger'
import { createMailer } from '@/server/base/mailer'
import { activity, attempts, mails } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { allTables } from '@/server/base/testing/in-memory'
import { openMailServer } from '@/server/base/testing/mail-server'
import { createErrorResponse } from '@/server/http/responses'
import { addAttempt, clearAttempts } from '@/server/leads/attempts'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { testServices } from '@/server/testing/services'
import { getReplyWays, sendReply } from './replies'
import { sendTestMail } from './test-mail'

const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
const ELSA = 'elsa.ek@elev.example'
const asked = question('asked', { email: ELSA })
const [subject, body] = ['Svar om naturprogrammet', 'Hej Elsa, välkommen på öppet hus!']
const reply: Reply = { kind: 'asked-question', id: 'asked', subject, body, key: 'draft-0001' }

const desk = await openRightsDesk()
const server = await openMailServer()
const sara = await desk.addPerson('sara', 'staff', ['norra'])
const lotta = await desk.addPerson('lotta', 'staff', ['norra'])
const omar = await desk.addPerson('omar', 'staff', ['sodra'])
const anna = await desk.addPerson('anna', 'admin', 'all')
const lines: string[] = []
const logger = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
afterAll(() => Promise.all([desk.close(), server.close()]))
beforeEach(async () => {
  await clearAttempts(desk.db, undefined, new Date(FRIDAY))
  await desk.db.delete(mails)
  await desk.db.delete(activity)
  Object.assign(server.state, { manner: 'takes', slowMs: 0 })
  server.taken.length = 0
  lines.length = 0
  desk.time.ms = FRIDAY
  desk.setQuestions([
    asked,
    question('called', { mode: 'phone', email: null, phone: '0701234567' }),
    question('odd', { email: 'a@x.se, b@x.se' }),
  ])
})

const instance = (change: object = {}): Services =>
  testServices({ ...desk.parts, mailer: createMailer({ settings: server.settings }), logger, ...change })
const withSettings = (chosen: Partial<WorkSettings>) => {
  const { work } = desk.parts
  return { work: { ...work, getSettings: async () => ({ ...(await work.getSettings()), ...chosen }) } }
}
const send = (change: Partial<Reply> = {}, viewer = sara, services = instance()) =>
  sendReply(services, viewer, { ...reply, ...change })
/** Returns why the mail was not sent. */
const outcome = (sent: Promise<unknown>) =>
  sent.catch((error: unknown) => (error instanceof MailNotSentError ? error.reason : error))
const noted = () => desk.db.select().from(attempts).where(isNotNull(attempts.outcome))
const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))

describe('a reply', () => {
  test('goes to the address of the lead, and is noted with what was decided', async () => {
    const { attempt, undo } = await send({ status: 'handled' })
    expect(attempt).toMatchObject({ channel: 'email', outcome: 'sent', by: { id: 'sara', name: 'sara' } })
    expect(server.taken).toMatchObject([{ to: [ELSA] }])
    expect(await desk.undo(sara, undo)).toEqual({ restored: 1, conflicts: 0 })
    const { kind, id, key } = reply
    const again = await addAttempt(desk.parts, sara, { kind, id, channel: 'email', outcome: 'sent', key })
    expect(await desk.undo(sara, again.undo), 'as an attempt of its key').toMatchObject({ restored: 0 })
    const sent = { leadId: 'asked', userId: 'sara', outcome: 'sent' }
    expect(await noted(), 'that it was sent cannot be undone').toMatchObject([sent])
    expect((await desk.parts.triage.getEntries('asked-question')).get('asked')?.status).toBe('new')
  })

  test('is answered at the school, where it has an address', async () => {
    const sent = await send(
      {},
      sara,
      instance(withSettings({ replyTo: { vastra: 'vastra@skola.example', norra: 'norra@skola.example' } })),
    )
    expect(sent.undo, 'what decides nothing').toBe('')
    expect(server.taken[0]?.text).toContain('Reply-To: norra@skola.example')
  })

  test('leaves as the school chose; a user gets the ways of the own schools', async () => {
    const waysOf = (norra: 'gmail' | 'intag', change = {}) => {
      const services = instance({ ...withSettings({ mailWay: { norra, vastra: 'outlook' } }), ...change })
      return getReplyWays(services, sara)
    }
    expect(await waysOf('gmail')).toEqual({ canSend: true, ways: { norra: 'gmail' } })
    expect(await waysOf('intag')).toMatchObject({ ways: { norra: 'intag' } })
    expect(await waysOf('intag', { mailer: null })).toEqual({ canSend: false, ways: {} })
  })

  test('is refused without an address, out of scope, to a hidden identity, and without a mail server', async () => {
    expect(await outcome(send({ id: 'called' }))).toBe('no-address')
    expect(await outcome(send({ id: 'odd' }))).toBe('no-address')
    await expect(send({}, omar)).rejects.toThrow(NotFoundError)
    expect(await outcome(send({}, sara, instance({ mailer: null })))).toBe('mail-not-set-up')
    await desk.protect(anna, asked, ['anna'])
    await expect(send()).rejects.toThrow(ForbiddenError)
    await desk.db.delete(protectedPersons)
    expect([server.taken, await desk.db.$count(mails)]).toEqual([[], 0])
    const reasons = ['no-address', 'mail-not-set-up'] as const
    expect(reasons.map((reason) => createErrorResponse(new MailNotSentError(reason)).status)).toEqual([409, 503])
  })
})

describe('the same key again', () => {
  test('sends nothing, while the first is sent and afterwards', async () => {
    server.state.slowMs = 50
    const first = send({ status: 'handled' })
    await expect.poll(() => server.taken).toHaveLength(1)
    await expect(send({ status: 'handled' })).rejects.toThrow(NotReadyError)
    const { attempt } = await first
    const again = await send({ status: 'handled' })
    expect(again.attempt).toEqual(attempt)
    expect([server.taken.length, (await noted()).length]).toEqual([1, 1])
    expect(await desk.undo(sara, again.undo)).toMatchObject({ restored: 1 })
  })

  test.each([
    ['refuses-recipient', 'recipient'],
    ['dies-after', 'unknown'],
  ] as const)('answers what came of it: %s', async (manner, reason) => {
    server.state.manner = manner
    expect(await outcome(send({ status: 'handled' }))).toBe(reason)
    server.state.manner = 'takes'
    server.taken.length = 0
    expect(await outcome(send({ status: 'handled' }))).toBe(reason)
    expect([server.taken, await noted()], 'the lead is as before').toEqual([[], []])
    await send({ key: 'draft-0002' })
    expect(server.taken, 'another key sends it').toHaveLength(1)
  })

  test('is of unknown outcome when the process was killed while it sent', async () => {
    void send({}, sara, instance({ mailer: { send: () => new Promise(() => {}) } }))
    await expect.poll(() => desk.db.$count(mails)).toBe(1)
    desk.time.ms += 100_000
    expect(await outcome(send())).toBe('unknown')
    expect(server.taken).toEqual([])
  })

  test('is another mail about another lead, or of another user', async () => {
    desk.setQuestions([asked, question('second', { email: 'bo@elev.example' })])
    await send()
    await send({ id: 'second' })
    await send({}, lotta)
    expect((await noted()).map(({ leadId }) => leadId)).toEqual(['asked', 'second', 'asked'])
    expect(server.taken.map(({ to }) => to)).toEqual([[ELSA], ['bo@elev.example'], [ELSA]])
  })
})

test('without the database nothing is sent; if it goes while the mail is sent, the user still learns that it was', async () => {
  await expect(send({}, sara, instance({ connect: away }))).rejects.toThrow('away')
  expect(server.taken).toEqual([])
  const connect = async () => (server.taken.length > 0 ? away() : desk.db)
  expect(await send({}, sara, instance({ connect }))).toEqual({ attempt: null, undo: '' })
  expect(lines.join()).toContain('a mail was sent and could not be noted')
})

test('a test message goes to the administrator, and its outcome is logged', async () => {
  expect(await sendTestMail(instance(), anna)).toEqual({ outcome: 'sent', detail: '' })
  expect(server.taken[0]?.to).toEqual(['anna@skola.example'])
  server.state.manner = 'refuses-sender'
  expect(await sendTestMail(instance(), anna)).toMatchObject({ outcome: 'refused' })
  const logged = await desk.db.select().from(activity).where(eq(activity.action, 'mail-tested'))
  expect(logged.map(({ details }) => details)).toEqual([{ outcome: 'sent' }, { outcome: 'refused' }])
})

test('nothing of what was written, and not whom to, is in the database, the log or the answer to a failure', async () => {
  const answers: Response[] = []
  for (const manner of ['takes', 'refuses-recipient', 'dies-after'] as const) {
    server.state.manner = manner
    const err = await send({ key: `draft-${manner}`, status: 'in-progress' }).catch((error: unknown) => error)
    if (!(err instanceof Error)) continue
    logger.error({ err }, 'request failed')
    answers.push(createErrorResponse(err, { isChange: true }))
  }
  expect(answers.map(({ status }) => status)).toEqual([502, 502])
  expect(lines.length).toBeGreaterThan(1)
  const rows = await Promise.all(
    allTables.map((name) => desk.db.execute(sql`select row_to_json(t)::text as row from ${sql.identifier(name)} as t`)),
  )
  const dump = JSON.stringify(rows)
  expect(dump, 'the dump has what was done').toContain('attempt-logged')
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  for (const word of ['elsa', 'elev.example', 'naturprogrammet', 'öppet hus', 'draft-'])
    expect([dump, ...lines, ...texts].join('\n').toLowerCase()).not.toContain(word)
})

import { isNotNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Reply } from '@/lib/contract/attempts'
import { question } from '@/lib/leads/testing/leads'
import { allow, type Viewer } from '@/server/access/viewer'
import { allTables } from '@/server/db/kept-tables'
import { protectedPersons } from '@/server/db/access-schema'
import { mails } from '@/server/db/job-schema'
import { attempts, triage } from '@/server/db/schema'
import { ForbiddenError, MailNotSentError, NotFoundError } from '@/server/errors'
import { errorResponse } from '@/server/http/responses'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { protectPerson } from '@/server/rights/protect'
import { createLogger } from '@/server/logger'
import { undoTriage } from '@/server/triage/undo-triage'
import { canSend, sendReply } from './replies'
import { ABANDONED_MS } from './mails'
import { openMailServer } from './testing/mail-server'
import { replyInstance } from './testing/reply-instance'

let desk: TestDesk
let server: Awaited<ReturnType<typeof openMailServer>>
let sara: Viewer
let omar: Viewer
const lines: string[] = []
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
const reply: Reply = {
  kind: 'asked-question',
  id: 'asked',
  subject: 'Svar om naturprogrammet',
  body: 'Hej Elsa, välkommen på öppet hus!',
  key: 'draft-0001',
}

beforeAll(async () => {
  server = await openMailServer()
  desk = await openTestDesk()
  sara = await desk.person('sara', 'staff', ['norra'])
  omar = await desk.person('omar', 'staff', ['sodra'])
})
afterAll(() => Promise.all([desk.close(), server.close()]))
beforeEach(async () => {
  await desk.db.delete(attempts)
  await desk.db.delete(mails)
  Object.assign(server.state, { manner: 'takes', slowMs: 0 })
  server.taken.length = 0
  lines.length = 0
  desk.time.ms = FRIDAY
  desk.parts.triage.outdate()
  desk.setQuestions([
    question('asked', { email: 'elsa.ek@elev.example' }),
    question('called', { mode: 'phone', email: null, phone: '0701234567' }),
    question('odd', { email: 'a@x.se, b@x.se' }),
  ])
})

const instance = ({ connect = desk.parts.connect } = {}) => replyInstance({ desk, server }, lines, connect)
const send = (change: Partial<Reply> = {}, viewer = sara, parts: Parameters<typeof sendReply>[0] = instance()) =>
  sendReply(parts, allow(viewer, 'leads:reply'), { ...reply, ...change })
const failed = (sent: Promise<unknown>) =>
  sent.then(
    () => 'sent',
    (error: unknown) => (error instanceof MailNotSentError ? error.reason : error),
  )
const noted = () => desk.db.select().from(attempts).where(isNotNull(attempts.outcome))

describe('a reply', () => {
  test('goes to the address of the lead, and is noted with what was decided', async () => {
    const { attempt, undo } = await send({ status: 'handled' })
    expect(attempt).toMatchObject({ channel: 'email', outcome: 'sent', by: { id: 'sara', name: 'sara' } })
    expect(server.taken).toMatchObject([{ to: ['elsa.ek@elev.example'] }])
    expect(await noted()).toMatchObject([{ leadId: 'asked', userId: 'sara', outcome: 'sent' }])
    expect(await undoTriage(desk.parts, allow(sara, 'leads:triage'), { undo })).toEqual({ restored: 1, conflicts: 0 })
    expect(await noted(), 'that it was sent cannot be undone').toMatchObject([{ outcome: 'sent' }])
    expect((await desk.parts.triage.current('asked-question')).get('asked')?.status).toBe('new')
  })

  test('that decides nothing has nothing to undo', async () => {
    expect((await send()).undo).toBe('')
  })

  test('is answered at the school, where it has an address', async () => {
    const parts = instance()
    const settings = { ...(await parts.work.settings()), replyTo: { norra: 'norra@skola.example' } }
    await send({}, sara, { ...parts, work: { ...parts.work, settings: async () => settings } })
    expect(server.taken[0]?.text).toContain('Reply-To: norra@skola.example')
  })

  test('is refused where there is nobody to write to, out of reach, or without a mail server', async () => {
    expect(await failed(send({ id: 'called' }))).toBe('no-address')
    expect(await failed(send({ id: 'odd' }))).toBe('no-address')
    await expect(send({ id: 'gone' })).rejects.toThrow(NotFoundError)
    await expect(send({}, omar)).rejects.toThrow(NotFoundError)
    const none = { ...instance(), mailer: null }
    expect(await failed(send({}, sara, none))).toBe('mail-not-set-up')
    expect(canSend(none, allow(sara, 'leads:reply'))).toEqual({ canSend: false })
    expect(canSend(instance(), allow(sara, 'leads:reply'))).toEqual({ canSend: true })
    expect(server.taken).toEqual([])
    expect(await desk.db.select().from(mails)).toEqual([])
  })

  test.each([1, 2, 3, 4])('is refused when the lead is withdrawn in the very moment (%i)', async (when) => {
    const { feed, ...parts } = instance()
    let looked = 0
    const askedQuestions = () => {
      looked += 1
      if (looked === when) desk.setQuestions([question('other')])
      return feed.askedQuestions()
    }
    await expect(send({}, sara, { ...parts, feed: { ...feed, askedQuestions } })).rejects.toThrow(NotFoundError)
    expect(server.taken).toEqual([])
  })

  test('goes to nobody whose identity is protected from the one who writes', async () => {
    const admin = allow(await desk.person('anna', 'admin', 'all'), 'admin')
    const emails = ['elsa.ek@elev.example']
    const contact = desk.parts.contactIds.of('asked-question', question('asked', { email: 'elsa.ek@elev.example' }))
    await protectPerson(desk.parts, admin, { contact, emails, phones: [], reason: 'skydd', people: [admin.id] })
    await expect(send()).rejects.toThrow(ForbiddenError)
    await desk.db.delete(protectedPersons)
    desk.parts.protections.outdate()
    expect(server.taken).toEqual([])
  })
})

describe('what the server does not take', () => {
  test.each([
    ['refuses-recipient', 'recipient'],
    ['refuses-text', 'refused'],
    ['hangs', 'timed-out'],
    ['dies-before', 'unreachable'],
  ] as const)('%s: it says so, notes nothing, and the same may be sent again', async (manner, reason) => {
    server.state.manner = manner
    expect(await failed(send({ status: 'handled' }))).toBe(reason)
    expect(await noted()).toEqual([])
    server.state.manner = 'takes'
    await send()
    expect(server.taken).toHaveLength(1)
  })

  test('is answered with 502, and a reason without an address in it', async () => {
    server.state.manner = 'refuses-recipient'
    const answer = errorResponse(await send().catch((error: unknown) => error), { isChange: true })
    expect(answer.status).toBe(502)
    const told = await answer.text()
    expect(JSON.parse(told)).toMatchObject({ reason: 'recipient' })
    expect(told).not.toContain('elsa')
    expect(errorResponse(new MailNotSentError('mail-not-set-up')).status).toBe(503)
    expect(errorResponse(new MailNotSentError('no-address')).status).toBe(409)
  })

  test('may have arrived when the connection broke after it: nobody sends the same again in silence', async () => {
    server.state.manner = 'dies-after'
    expect(await failed(send())).toBe('unsure')
    expect(await noted()).toMatchObject([{ leadId: 'asked', userId: 'sara', outcome: 'unsure' }])
    server.state.manner = 'takes'
    expect(await failed(send())).toBe('unsure')
    expect(server.taken).toHaveLength(1)
    await send({ key: 'draft-0002' })
    expect(server.taken, 'who wants to, sends it under another name').toHaveLength(2)
  })
})

describe('once', () => {
  test('for two clicks at the same moment', async () => {
    server.state.slowMs = 50
    const parts = instance()
    const answers = await Promise.all([send({}, sara, parts), send({}, sara, parts), send({}, sara, parts)])
    expect(new Set(answers.map(({ attempt }) => attempt?.id)).size).toBe(1)
    expect(server.taken).toHaveLength(1)
    expect(await noted()).toHaveLength(1)
  })

  test('for two instances', async () => {
    server.state.slowMs = 50
    const answers = await Promise.all([send({}, sara, instance()), send({}, sara, instance())])
    expect(answers[0]?.attempt?.id).toBe(answers[1]?.attempt?.id)
    expect(server.taken).toHaveLength(1)
  })

  test('for a browser that never got the answer, which gets the same one', async () => {
    const first = await send({ status: 'handled' })
    const again = await send({ status: 'handled' }, sara, instance())
    expect(again.attempt).toEqual(first.attempt)
    expect(server.taken).toHaveLength(1)
    expect(await undoTriage(desk.parts, allow(sara, 'leads:triage'), { undo: again.undo })).toMatchObject({
      restored: 1,
    })
  })

  test('when the process died while it was sending: the next one is told that nobody knows', async () => {
    const dying = instance()
    void send({}, sara, { ...dying, mailer: { ...dying.mailer, send: () => new Promise(() => {}) } })
    await expect.poll(() => desk.db.$count(mails)).toBe(1)
    desk.time.ms += ABANDONED_MS + 1
    expect(await failed(send({}, sara, instance()))).toBe('unsure')
    expect(server.taken).toEqual([])
  })

  test('and the same key about another lead is another mail', async () => {
    desk.setQuestions([
      question('asked', { email: 'elsa.ek@elev.example' }),
      question('second', { email: 'bo@elev.example' }),
    ])
    await send()
    await send({ id: 'second' })
    expect(server.taken.map(({ to }) => to)).toEqual([['elsa.ek@elev.example'], ['bo@elev.example']])
    expect((await noted()).map(({ leadId }) => leadId)).toEqual(['asked', 'second'])
  })

  test('and another person’s key is another mail', async () => {
    const lotta = await desk.person('lotta', 'staff', ['norra'])
    await send()
    await send({}, lotta)
    expect(server.taken).toHaveLength(2)
  })
})

describe('the database', () => {
  /** Away from when the mail has been taken, for so many questions. */
  const awayAfterMail = (most: number) => {
    let left = most
    return async () => {
      if (server.taken.length > 0 && left > 0) {
        left -= 1
        throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
      }
      return desk.db
    }
  }

  test('that is away for a moment after the server took it, is told again', async () => {
    const { attempt } = await send({}, sara, instance({ connect: awayAfterMail(3) }))
    expect(await noted()).toMatchObject([{ id: Number(attempt?.id), outcome: 'sent' }])
  })

  test('that stays away, is told later, and the person at once that it was sent', async () => {
    const answer = await send({ status: 'handled' }, sara, instance({ connect: awayAfterMail(8) }))
    expect(answer).toEqual({ attempt: null, undo: '' })
    await expect.poll(noted).toHaveLength(1)
    await send({ status: 'handled' })
    expect(server.taken, 'and the same is not sent again').toHaveLength(1)
  })

  test.each([
    ['before', -60_000, 'handled'],
    ['since', 60_000, 'dismissed'],
  ] as const)('that stays away: what a colleague decided %s', async (_, ms, status) => {
    const updatedAt = new Date(FRIDAY + ms)
    const lead = { kind: 'asked-question', leadId: 'asked' } as const
    await desk.db.delete(triage)
    await desk.db.insert(triage).values({ ...lead, status: 'dismissed', assigneeId: 'omar', updatedAt })
    const parts = instance({ connect: awayAfterMail(8) })
    const wait = (waited: number) => {
      desk.time.ms += waited
      return parts.wait()
    }
    await send({ status: 'handled' }, sara, { ...parts, wait })
    await expect.poll(noted).toMatchObject([{ ...lead, at: new Date(FRIDAY), outcome: 'sent' }])
    expect(desk.time.ms).toBeGreaterThan(FRIDAY + 10_000)
    expect(await desk.db.select().from(triage)).toMatchObject([{ ...lead, status, assigneeId: 'omar' }])
  })

  test('that is away before, keeps it from being sent', async () => {
    const away = async () => {
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    }
    await expect(send({}, sara, instance({ connect: away }))).rejects.toThrow('away')
    expect(server.taken).toEqual([])
  })
})

test('nothing of what was written, and not whom to, stays in the database or the log', async () => {
  const logger = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
  for (const manner of ['takes', 'refuses-recipient', 'dies-after', 'hangs'] as const) {
    server.state.manner = manner
    const err = await send({ key: `draft-${manner}`, status: 'in-progress' }).catch((error: unknown) => error)
    if (err instanceof Error) logger.error({ err }, 'request failed')
  }
  expect(lines.length).toBeGreaterThan(2)
  const rows = await Promise.all(
    allTables.map((name) => desk.db.execute(sql`select row_to_json(t)::text as row from ${sql.identifier(name)} as t`)),
  )
  const dump = JSON.stringify(rows)
  expect(dump, 'the dump has what was done').toContain('attempt-logged')
  for (const word of ['elsa', 'elev.example', 'naturprogrammet', 'öppet hus', 'draft-'])
    expect([dump, ...lines].join('\n').toLowerCase()).not.toContain(word)
})

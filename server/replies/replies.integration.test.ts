import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import { allTables } from '@/server/base/testing/in-memory'
import { mails, triage } from '@/server/base/schema'
import { ForbiddenError, MailNotSentError, NotFoundError } from '@/server/base/errors'
import { errorResponse } from '@/server/http/responses'
import { createLogger } from '@/server/base/logger'
import { protectPerson } from '@/server/privacy/protect'
import { undoTriage } from '@/server/leads/undo-triage'
import { getReplyWays } from './mail'
import { ELSA, failed, FRIDAY, useReplyDesk } from '@/server/leads/testing/reply-desk'

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
    const parts = instance()
    const settings = { ...(await parts.work.settings()), replyTo: { norra: 'norra@skola.example' } }
    const sent = await send({}, it.sara, { ...parts, work: { ...parts.work, settings: async () => settings } })
    expect(sent.undo, 'what decides nothing').toBe('')
    expect(it.server.taken[0]?.text).toContain('Reply-To: norra@skola.example')
  })

  test('leaves as the school chose; of the ways one gets those of the own schools', async () => {
    const parts = instance()
    const chose = async (norra: 'gmail' | 'intag', mailer: typeof parts.mailer | null = parts.mailer) => {
      const settings = { ...(await parts.work.settings()), mailWay: { norra, vastra: 'outlook' as const } }
      return getReplyWays({ mailer, work: { settings: async () => settings } }, allow(it.sara, 'leads:reply'))
    }
    expect(await chose('gmail')).toEqual({ canSend: true, ways: { norra: 'gmail' } })
    expect(await chose('intag')).toMatchObject({ ways: { norra: 'intag' } })
    expect(await chose('intag', null), 'Intag cannot send').toEqual({ canSend: false, ways: {} })
  })

  test('is refused where there is nobody to write to, out of scope, or without a mail server', async () => {
    expect(await failed(send({ id: 'called' }))).toBe('no-address')
    expect(await failed(send({ id: 'odd' }))).toBe('no-address')
    await expect(send({}, it.omar)).rejects.toThrow(NotFoundError)
    const none = { ...instance(), mailer: null }
    expect(await failed(send({}, it.sara, none))).toBe('mail-not-set-up')
    const sara = allow(it.sara, 'leads:reply')
    expect([await getReplyWays(none, sara), await getReplyWays(instance(), sara)]).toMatchObject([
      { canSend: false },
      { canSend: true },
    ])
    expect(it.server.taken).toEqual([])
    expect(await it.desk.db.select().from(mails)).toEqual([])
  })

  test.each([1, 2, 3, 4])('is refused when the lead is withdrawn in the very moment (%i)', async (when) => {
    const { feed, ...parts } = instance()
    let looked = 0
    const askedQuestions = () => {
      looked += 1
      if (looked === when) it.desk.setQuestions([question('other')])
      return feed.askedQuestions()
    }
    await expect(send({}, it.sara, { ...parts, feed: { ...feed, askedQuestions } })).rejects.toThrow(NotFoundError)
    expect(it.server.taken).toEqual([])
  })

  test('goes to nobody whose identity is protected from the one who writes', async () => {
    const admin = allow(await it.desk.person('anna', 'admin', 'all'), 'admin')
    const contact = it.desk.parts.contactIds.of('asked-question', asked)
    const given = { contact, emails: [ELSA], phones: [], reason: 'skydd' }
    await protectPerson(it.desk.parts, admin, { ...given, people: [admin.id] })
    await expect(send()).rejects.toThrow(ForbiddenError)
    await it.desk.db.delete(protectedPersons)
    it.desk.parts.protections.invalidate()
    expect(it.server.taken).toEqual([])
  })
})

describe('what the server does not take', () => {
  test.each([
    ['refuses-recipient', 'recipient'],
    ['dies-before', 'unreachable'],
  ] as const)('%s: it says so, notes nothing, and the same may be sent again', async (manner, reason) => {
    it.server.state.manner = manner
    expect(await failed(send({ status: 'handled' }))).toBe(reason)
    expect(await noted()).toEqual([])
    it.server.state.manner = 'takes'
    await send()
    expect(it.server.taken).toHaveLength(1)
  })

  test('is answered with 502, and a reason without an address in it', async () => {
    it.server.state.manner = 'refuses-recipient'
    const answer = errorResponse(await send().catch((error: unknown) => error), { isChange: true })
    expect(answer.status).toBe(502)
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ reason: 'recipient' })
    expect(text).not.toContain('elsa')
    expect(errorResponse(new MailNotSentError('mail-not-set-up')).status).toBe(503)
    expect(errorResponse(new MailNotSentError('no-address')).status).toBe(409)
  })

  test('may have arrived when the connection broke after it: nobody sends the same again in silence', async () => {
    it.server.state.manner = 'dies-after'
    expect(await failed(send())).toBe('unsure')
    expect(await noted()).toMatchObject([{ leadId: 'asked', userId: 'sara', outcome: 'unsure' }])
    it.server.state.manner = 'takes'
    expect(await failed(send())).toBe('unsure')
    expect(it.server.taken).toHaveLength(1)
    await send({ key: 'draft-0002' })
    expect(it.server.taken, 'who wants to, sends it under another name').toHaveLength(2)
  })
})

describe('once', () => {
  test('for clicks at the same moment, on one instance and on two', async () => {
    it.server.state.slowMs = 50
    const [one, other] = [instance(), instance()]
    const answers = await Promise.all([one, one, other].map((parts) => send({}, it.sara, parts)))
    expect(new Set(answers.map(({ attempt }) => attempt?.id)).size).toBe(1)
    expect(it.server.taken).toHaveLength(1)
    expect(await noted()).toHaveLength(1)
  })

  test('for a browser that never got the answer, which gets the same one', async () => {
    const first = await send({ status: 'handled' })
    const again = await send({ status: 'handled' }, it.sara, instance())
    expect(again.attempt).toEqual(first.attempt)
    expect(it.server.taken).toHaveLength(1)
    expect(await undone(again.undo)).toMatchObject({ restored: 1 })
  })

  test('and the same key about another lead, or of another person, is another mail', async () => {
    it.desk.setQuestions([asked, question('second', { email: 'bo@elev.example' })])
    await send()
    await send({ id: 'second' })
    await send({}, it.lotta)
    expect((await noted()).map(({ leadId }) => leadId)).toEqual(['asked', 'second', 'asked'])
    expect(it.server.taken.map(({ to }) => to)).toEqual([[ELSA], ['bo@elev.example'], [ELSA]])
  })
})

describe('the database', () => {
  /** Away from when the mail has been taken, for so many questions. */
  const awayAfterMail = (most: number) => {
    let left = most
    return async () => {
      if (it.server.taken.length > 0 && left > 0) {
        left -= 1
        throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
      }
      return it.desk.db
    }
  }

  test('that is away for a moment after the mail was sent gets it noted later', async () => {
    const { attempt } = await send({}, it.sara, instance({ connect: awayAfterMail(3) }))
    expect(await noted()).toMatchObject([{ id: Number(attempt?.id), outcome: 'sent' }])
  })

  test.each([
    ['before', -60_000, 'handled'],
    ['since', 60_000, 'dismissed'],
  ] as const)('that stays away: what a colleague decided %s', async (_, ms, status) => {
    const updatedAt = new Date(FRIDAY + ms)
    const lead = { kind: 'asked-question', leadId: 'asked' } as const
    await it.desk.db.delete(triage)
    await it.desk.db.insert(triage).values({ ...lead, status: 'dismissed', assigneeId: 'omar', updatedAt })
    const parts = instance({ connect: awayAfterMail(8) })
    const wait = (waited: number) => {
      it.desk.time.ms += waited
      return parts.wait()
    }
    await send({ status: 'handled' }, it.sara, { ...parts, wait })
    await expect.poll(noted).toMatchObject([{ ...lead, at: new Date(FRIDAY), outcome: 'sent' }])
    expect(it.desk.time.ms).toBeGreaterThan(FRIDAY + 10_000)
    expect(await it.desk.db.select().from(triage)).toMatchObject([{ ...lead, status, assigneeId: 'omar' }])
  })

  test('that is away before, keeps it from being sent', async () => {
    const away = async () => {
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    }
    await expect(send({}, it.sara, instance({ connect: away }))).rejects.toThrow('away')
    expect(it.server.taken).toEqual([])
  })
})

test('nothing of what was written, and not whom to, stays in the database or the log', async () => {
  const logger = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
  for (const manner of ['takes', 'refuses-recipient', 'dies-after', 'hangs'] as const) {
    it.server.state.manner = manner
    const err = await send({ key: `draft-${manner}`, status: 'in-progress' }).catch((error: unknown) => error)
    if (err instanceof Error) logger.error({ err }, 'request failed')
  }
  expect(lines.length).toBeGreaterThan(2)
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

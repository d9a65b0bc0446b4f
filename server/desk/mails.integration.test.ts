import { isNotNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Reply } from '@/lib/contract/attempts'
import { question } from '@/lib/leads/testing/leads'
import { allow, type Viewer } from '@/server/access/viewer'
import { mails } from '@/server/db/job-schema'
import { activity, attempts } from '@/server/db/schema'
import { MailNotSentError, TooManyTriesError } from '@/server/errors'
import { errorResponse } from '@/server/http/responses'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { MOST_AN_HOUR, MOST_TESTS_AN_HOUR, MOST_TO_ONE } from './mails'
import { sendReply } from './replies'
import { testMail } from './test-mail'
import { openMailServer } from './testing/mail-server'
import { replyInstance } from './testing/reply-instance'

let desk: TestDesk
let server: Awaited<ReturnType<typeof openMailServer>>
let sara: Viewer
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
const reply: Reply = { kind: 'asked-question', id: 'asked', subject: 'Svar', body: 'Hej Elsa!', key: 'draft-0001' }

beforeAll(async () => {
  server = await openMailServer()
  desk = await openTestDesk()
  sara = await desk.person('sara', 'staff', ['norra'])
})
afterAll(() => Promise.all([desk.close(), server.close()]))
beforeEach(async () => {
  await desk.db.delete(attempts)
  await desk.db.delete(mails)
  Object.assign(server.state, { manner: 'takes', slowMs: 0 })
  server.taken.length = 0
  desk.time.ms = FRIDAY
  desk.setQuestions([question('asked', { email: 'elsa.ek@elev.example' })])
})

const instance = () => replyInstance({ desk, server })
const send = (change: Partial<Reply> = {}, viewer = sara, parts: Parameters<typeof sendReply>[0] = instance()) =>
  sendReply(parts, allow(viewer, 'leads:reply'), { ...reply, ...change })
const failed = (sent: Promise<unknown>) =>
  sent.then(
    () => 'sent',
    (error: unknown) => (error instanceof MailNotSentError ? error.reason : error),
  )
const noted = () => desk.db.select().from(attempts).where(isNotNull(attempts.outcome))

describe('how many', () => {
  const minutes = (ago: number) => new Date(FRIDAY - ago * 60_000)
  const before = (count: number, ago: number, row: Partial<typeof mails.$inferInsert> = {}) =>
    desk.db.insert(mails).values(
      Array.from({ length: count }, (_, index) => {
        const name = `${ago} ${index} ${row.sender}`
        return { name, at: minutes(ago), state: 'unsure' as const, sender: 'reply sara', ...row }
      }),
    )

  test('nobody sends more than sixty in an hour, and what may have been sent counts', async () => {
    await before(MOST_AN_HOUR, 30)
    const error: unknown = await send().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(TooManyTriesError)
    expect(error).toMatchObject({ retryAfterSeconds: 1_800 })
    expect([server.taken, await noted()], 'and the lead is as before').toEqual([[], []])
    desk.time.ms += 1_801_000
    await send()
    expect(server.taken).toHaveLength(1)
  })

  test.each([
    [MOST_TO_ONE.anHour, 30, 1_800],
    [MOST_TO_ONE.aDay, 120, 22 * 3_600],
  ])('nobody is sent more than %i, whoever sends them and however the address is spelt', async (most, ago, seconds) => {
    await send()
    const [first] = await desk.db.select({ recipient: mails.recipient }).from(mails)
    await desk.db.delete(mails)
    await before(most - 1, ago, { ...first, sender: 'reply omar' })
    desk.setQuestions([question('asked', { email: ' Elsa.Ek+skola@ELEV.example' })])
    await send({ key: 'another-1' })
    await before(1, ago, { ...first, sender: 'reply lotta' })
    desk.setQuestions([question('asked', { email: 'elsa.ek@elev.example.' })])
    const error: unknown = await send({ key: 'another-2' }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ reason: 'recipient-busy' })
    const answer = errorResponse(error)
    expect([answer.status, answer.headers.get('intag-reason')]).toEqual([429, 'recipient-busy'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.min(seconds, 1_800))
    desk.setQuestions([question('asked', { email: 'bo@elev.example' })])
    await send({ key: 'another-3' })
    expect(server.taken.at(-1)?.to).toEqual(['bo@elev.example'])
  })

  test('a sender who may not see a lead with the same address is told of too many tries, and not whose', async () => {
    const email = 'elsa.ek@elev.example'
    desk.setQuestions([question('asked', { email }), question('elsewhere', { email, school: 'sodra' })])
    const omar = await desk.person('omar-of-all', 'staff', 'all')
    for (let index = 0; index < MOST_TO_ONE.anHour; index++)
      await send({ id: index === 0 ? 'elsewhere' : 'asked', key: `of-omar-${index}` }, omar)
    const refused = (viewer: Viewer) => send({ key: 'one-too-many' }, viewer).catch((caught: unknown) => caught)
    expect(await refused(omar)).toMatchObject({ reason: 'recipient-busy' })
    const error = await refused(sara)
    expect(error).toBeInstanceOf(TooManyTriesError)
    expect(error).toMatchObject({ reason: undefined })
    expect(errorResponse(error).headers.get('intag-reason')).toBeNull()
  })
})

describe('the same key with another text', () => {
  const other = { body: 'Hej Elsa, det blev inställt.' }

  test('is refused once it was sent, may have been, or is being sent; the text is not kept', async () => {
    await send()
    expect(await failed(send(other))).toBe('other-text')
    expect(await failed(send({ subject: 'Annat' }))).toBe('other-text')
    expect(errorResponse(new MailNotSentError('other-text')).status).toBe(409)
    await send()
    server.state.manner = 'dies-after'
    expect(await failed(send({ key: 'draft-unsure' }))).toBe('unsure')
    expect(await failed(send({ ...other, key: 'draft-unsure' }))).toBe('other-text')
    Object.assign(server.state, { manner: 'takes', slowMs: 50 })
    const parts = instance()
    const both = [send({ key: 'draft-both' }, sara, parts), send({ ...other, key: 'draft-both' }, sara, parts)]
    expect(await Promise.all(both.map(failed))).toEqual(['sent', 'other-text'])
    expect(server.taken).toHaveLength(3)
  })

  test('is sent when the first surely was not', async () => {
    server.state.manner = 'refuses-text'
    expect(await failed(send())).toBe('refused')
    server.state.manner = 'takes'
    await send(other)
    expect(server.taken).toHaveLength(1)
  })
})

test('a test message goes to whoever asks, and the log says what came of it', async () => {
  const admin = allow(await desk.person('admin', 'admin', 'all'), 'admin')
  expect(await testMail(instance(), admin)).toEqual({ outcome: 'sent', detail: '' })
  expect(server.taken[0]?.to).toEqual(['admin@skola.example'])
  server.state.manner = 'refuses-sender'
  expect(await testMail(instance(), admin)).toEqual({ outcome: 'refused', detail: 'EENVELOPE 550' })
  const logged = await desk.db
    .select()
    .from(activity)
    .where(sql`${activity.action} = 'mail-tested'`)
  expect(logged.map(({ details }) => details)).toEqual([{ outcome: 'sent' }, { outcome: 'refused' }])
  expect(await failed(testMail({ ...instance(), mailer: null }, admin))).toBe('mail-not-set-up')
})

test('five test messages in an hour', async () => {
  const admin = allow(await desk.person('tester', 'admin', 'all'), 'admin')
  server.state.manner = 'refuses-sender'
  await testMail(instance(), admin)
  server.state.manner = 'takes'
  for (let count = 0; count < MOST_TESTS_AN_HOUR; count += 1) await testMail(instance(), admin)
  await expect(testMail(instance(), admin)).rejects.toThrow(TooManyTriesError)
  desk.time.ms += 3_600_001
  expect(await testMail(instance(), admin)).toMatchObject({ outcome: 'sent' })
})

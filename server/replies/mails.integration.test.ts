import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import { allow, type Viewer } from '@/server/access/viewer'
import { activity, attempts, mails } from '@/server/base/schema'
import { MailNotSentError, TooManyTriesError } from '@/server/base/errors'
import { errorResponse } from '@/server/http/responses'
import { testMail } from './mail'
import { MAX_REPLIES_PER_HOUR, MAX_TESTS_PER_HOUR, MAX_TO_ONE_ADDRESS } from './mails'
import { ELSA, failed, FRIDAY, useReplyDesk } from '@/server/leads/testing/reply-desk'

const { it, instance, send, noted } = useReplyDesk()
beforeEach(() => it.desk.setQuestions([question('asked', { email: ELSA })]))

describe('how many', () => {
  const minutes = (ago: number) => new Date(FRIDAY - ago * 60_000)
  const lead = { kind: 'asked-question', leadId: 'asked', channel: 'email', outcome: 'sent' } as const
  const before = async (count: number, ago: number, row: Partial<typeof mails.$inferInsert> = {}) => {
    const rows = Array.from({ length: count }, (_, index) => {
      const name = `${ago} ${index} ${row.sender}`
      return { name, at: minutes(ago), state: 'unsure' as const, sender: 'reply sara', ...row }
    })
    await it.desk.db.insert(mails).values(rows)
    if (row.recipient === undefined) return
    await it.desk.db
      .insert(attempts)
      .values(rows.map(({ name, at }) => ({ ...lead, sentKey: name, at, userId: 'omar' })))
  }

  test('nobody sends more than sixty in an hour, and what may have been sent counts', async () => {
    await before(MAX_REPLIES_PER_HOUR, 30)
    const error: unknown = await send().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(TooManyTriesError)
    expect(error).toMatchObject({ retryAfterSeconds: 1_800 })
    expect([it.server.taken, await noted()], 'and the lead is as before').toEqual([[], []])
    it.desk.time.ms += 1_801_000
    await send()
    expect(it.server.taken).toHaveLength(1)
  })

  test.each([
    [MAX_TO_ONE_ADDRESS.anHour, 30, 1_800],
    [MAX_TO_ONE_ADDRESS.aDay, 120, 22 * 3_600],
  ])('a recipient gets at most %i from all senders, in every spelling of the address', async (most, ago, seconds) => {
    await send()
    const [first] = await it.desk.db.select({ recipient: mails.recipient }).from(mails)
    await it.desk.db.delete(mails)
    await before(most - 1, ago, { ...first, sender: 'reply omar' })
    it.desk.setQuestions([question('asked', { email: ' Elsa.Ek+skola@ELEV.example' })])
    await send({ key: 'another-1' })
    await before(1, ago, { ...first, sender: 'reply lotta' })
    it.desk.setQuestions([question('asked', { email: 'elsa.ek@elev.example.' })])
    const error: unknown = await send({ key: 'another-2' }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ reason: 'recipient-busy' })
    const answer = errorResponse(error)
    expect([answer.status, answer.headers.get('intag-reason')]).toEqual([429, 'recipient-busy'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.min(seconds, 1_800))
    it.desk.setQuestions([question('asked', { email: 'bo@elev.example' })])
    await send({ key: 'another-3' })
    expect(it.server.taken.at(-1)?.to).toEqual(['bo@elev.example'])
  })

  test('mails about leads that the sender may not see neither count nor show', async () => {
    const elsewhere = question('elsewhere', { email: ELSA, school: 'sodra' })
    it.desk.setQuestions([question('asked', { email: ELSA }), elsewhere])
    const ofAll = await it.desk.person('omar-of-all', 'staff', 'all')
    for (let index = 0; index < MAX_TO_ONE_ADDRESS.anHour; index++)
      await send({ id: 'elsewhere', key: `of-omar-${index}` }, it.omar)
    const refused = (viewer: Viewer) => send({ key: 'one-too-many' }, viewer).catch((caught: unknown) => caught)
    expect(await refused(ofAll)).toMatchObject({ reason: 'recipient-busy' })
    for (let index = 0; index < MAX_TO_ONE_ADDRESS.anHour; index++) await send({ key: `of-sara-${index}` })
    expect(await refused(it.sara), 'as if the other school had written nothing').toMatchObject({
      reason: 'recipient-busy',
      retryAfterSeconds: 3_600,
    })
    expect(it.server.taken).toHaveLength(2 * MAX_TO_ONE_ADDRESS.anHour)
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
    it.server.state.manner = 'dies-after'
    expect(await failed(send({ key: 'draft-unsure' }))).toBe('unsure')
    expect(await failed(send({ ...other, key: 'draft-unsure' }))).toBe('other-text')
    Object.assign(it.server.state, { manner: 'takes', slowMs: 50 })
    const parts = instance()
    const both = [send({ key: 'draft-both' }, it.sara, parts), send({ ...other, key: 'draft-both' }, it.sara, parts)]
    expect(await Promise.all(both.map(failed))).toEqual(['sent', 'other-text'])
    expect(it.server.taken).toHaveLength(3)
  })
})

test('a test message goes to the administrator, and its outcome is logged', async () => {
  const admin = allow(await it.desk.person('admin', 'admin', 'all'), 'admin')
  expect(await testMail(instance(), admin)).toEqual({ outcome: 'sent', detail: '' })
  expect(it.server.taken[0]?.to).toEqual(['admin@skola.example'])
  it.server.state.manner = 'refuses-sender'
  expect(await testMail(instance(), admin)).toEqual({ outcome: 'refused', detail: 'EENVELOPE 550' })
  const logged = await it.desk.db
    .select()
    .from(activity)
    .where(sql`${activity.action} = 'mail-tested'`)
  expect(logged.map(({ details }) => details)).toEqual([{ outcome: 'sent' }, { outcome: 'refused' }])
  expect(await failed(testMail({ ...instance(), mailer: null }, admin))).toBe('mail-not-set-up')
})

test('five test messages in an hour', async () => {
  const admin = allow(await it.desk.person('tester', 'admin', 'all'), 'admin')
  it.server.state.manner = 'refuses-sender'
  await testMail(instance(), admin)
  it.server.state.manner = 'takes'
  for (let count = 0; count < MAX_TESTS_PER_HOUR; count += 1) await testMail(instance(), admin)
  await expect(testMail(instance(), admin)).rejects.toThrow(TooManyTriesError)
  it.desk.time.ms += 3_600_001
  expect(await testMail(instance(), admin)).toMatchObject({ outcome: 'sent' })
})

import { afterAll, beforeEach, expect, test } from 'vitest'
import { MailNotSentError } from '@/server/base/errors'
import type { Delivery, Mail } from '@/server/base/mailer'
import { mails } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { testServices } from '@/server/testing/services'
import { finishMail, MAX_ABOUT_ONE, MAX_PER_HOUR, sendCounted } from './mail-quota'
import { storedUser } from './testing/stored-user'
import { makeViewer } from './viewer'

const database = await openPgliteInMemory()
afterAll(() => database.close())
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
let now = FRIDAY
let made = 0
const [sara, omar] = [makeViewer(storedUser('sara')), makeViewer(storedUser('omar'))]
const outcome = { of: 'sent' as Delivery['outcome'] }
const mailer = { send: async () => ({ outcome: outcome.of, detail: '' }) }
const services = testServices({ connect: async () => database.db, now: () => now, mailer })
beforeEach(async () => {
  now = FRIDAY
  await database.db.delete(mails)
})

async function send(viewer: typeof sara, mail: { purpose: Mail['purpose']; about?: string }) {
  const key = `key-${(made += 1)}`
  const delivery = await sendCounted(services, viewer, { to: 'elsa@x.test', subject: 's', text: 't', key, ...mail })
  if (delivery !== null) await finishMail(database.db, key, delivery)
  return delivery
}

test('a user sends so many of a kind in an hour; what was refused does not count, what may have left does', async () => {
  const purpose = 'test'
  outcome.of = 'refused'
  await send(sara, { purpose })
  outcome.of = 'sent'
  for (let count = 1; count < MAX_PER_HOUR.test; count++) await send(sara, { purpose })
  now += 60_000
  outcome.of = 'unknown'
  await send(sara, { purpose })
  await expect(send(sara, { purpose })).rejects.toMatchObject({ name: 'TooManyTriesError', retryAfterSeconds: 3_540 })
  expect(await database.db.$count(mails), 'one that is turned away leaves no key').toBe(MAX_PER_HOUR.test + 1)
  expect(await send(sara, { purpose: 'reply' })).not.toBeNull()
  expect(await send(omar, { purpose })).not.toBeNull()
  now = FRIDAY + 3_600_001
  expect(await send(sara, { purpose })).not.toBeNull()
})

test('about one lead go so many in an hour and in a day, from all users', async () => {
  const mail = { purpose: 'reply', about: 'asked-question 1' } as const
  for (let hour = 0; hour < MAX_ABOUT_ONE.aDay / MAX_ABOUT_ONE.anHour; hour++) {
    now = FRIDAY + hour * 3_600_001
    for (let sent = 0; sent < MAX_ABOUT_ONE.anHour; sent++) await send(sent % 2 ? sara : omar, mail)
    await expect(send(sara, mail)).rejects.toMatchObject({ reason: 'recipient-busy' })
  }
  now += 3_600_001
  await expect(send(sara, mail), 'all of a day').rejects.toMatchObject({ reason: 'recipient-busy' })
  expect(await send(sara, { ...mail, about: 'asked-question 2' })).not.toBeNull()
})

test('nothing is sent without a mail server', async () => {
  const mail = { to: 'elsa@x.test', subject: 's', text: 't', key: 'k', purpose: 'test' } as const
  const closed = testServices({ connect: async () => database.db, now: () => now, mailer: null })
  await expect(sendCounted(closed, sara, mail)).rejects.toThrow(MailNotSentError)
  expect(await database.db.$count(mails)).toBe(0)
})

import { afterAll, beforeEach, expect, test } from 'vitest'
import { MailNotSentError, TooManyTriesError } from '@/server/base/errors'
import type { Delivery, Mail } from '@/server/base/mailer'
import { mails } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { testServices } from '@/server/testing/services'
import { finishMail, MAX_ABOUT_ONE, MAX_PER_HOUR, sendCounted } from './mail-quota'
import { makeViewer } from './viewer'

const database = await openPgliteInMemory()
afterAll(() => database.close())
const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
let now = FRIDAY
let taken: Mail[] = []
beforeEach(async () => {
  now = FRIDAY
  taken = []
  await database.db.delete(mails)
})
const person = (id: string) => makeViewer({ id, name: id, email: `${id}@x.test`, role: 'staff', schools: 'all' })
const sara = person('sara')

const servicesWith = (mailer: object | null) =>
  testServices({ connect: async () => database.db, now: () => now, mailer })

let made = 0
async function send(purpose: Mail['purpose'], outcome: Delivery['outcome'] = 'sent', about?: string, viewer = sara) {
  const mailer = {
    send: async (mail: Mail) => {
      taken.push(mail)
      return { outcome, detail: '' }
    },
  }
  const key = `key-${(made += 1)}`
  const mail = { to: 'elsa@x.test', subject: 's', text: 't', key, purpose, ...(about !== undefined && { about }) }
  const services = servicesWith(mailer)
  const delivery = await sendCounted(services, viewer, mail)
  if (delivery !== null) await finishMail(database.db, key, delivery)
  return delivery
}

test('a user sends so many of a kind in an hour; what was refused does not count, what may have left does', async () => {
  await send('test', 'refused')
  for (let count = 1; count < MAX_PER_HOUR.test; count++) await send('test')
  now += 60_000
  await send('test', 'unknown')
  const error: unknown = await send('test').catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(TooManyTriesError)
  expect(error).toMatchObject({ retryAfterSeconds: 3_540 })
  expect(taken).toHaveLength(MAX_PER_HOUR.test + 1)
  expect(await database.db.$count(mails), 'one that is turned away leaves no key').toBe(MAX_PER_HOUR.test + 1)
  await send('reply')
  await send('test', 'sent', undefined, person('omar'))
  now = FRIDAY + 3_600_001
  expect(await send('test')).toMatchObject({ outcome: 'sent' })
})

test('about one lead go so many in an hour and in a day, from all users', async () => {
  const omar = person('omar')
  const sendAbout = (about = 'asked-question 1', viewer = sara) => send('reply', 'sent', about, viewer)
  for (let hour = 0; hour < MAX_ABOUT_ONE.aDay / MAX_ABOUT_ONE.anHour; hour++) {
    now = FRIDAY + hour * 3_600_001
    for (let sent = 0; sent < MAX_ABOUT_ONE.anHour; sent++) await sendAbout('asked-question 1', sent % 2 ? sara : omar)
    await expect(sendAbout()).rejects.toMatchObject({ reason: 'recipient-busy' })
  }
  now += 3_600_001
  await expect(sendAbout(), 'all of a day').rejects.toMatchObject({ reason: 'recipient-busy' })
  expect(await sendAbout('asked-question 2')).toMatchObject({ outcome: 'sent' })
})

test('nothing is sent without a mail server', async () => {
  const services = servicesWith(null)
  const mail = { to: 'elsa@x.test', subject: 's', text: 't', key: 'k', purpose: 'test' } as const
  await expect(sendCounted(services, sara, mail)).rejects.toThrow(MailNotSentError)
  expect(await database.db.$count(mails)).toBe(0)
})

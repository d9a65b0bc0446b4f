import { expect, test } from 'vitest'
import { HOUR_MS } from '@/lib/time/durations'
import type { Delivery, Mail } from '@/server/base/mailer'
import { mails } from '@/server/base/schema'
import { testServices } from '@/server/testing/services'
import { recordMailOutcome, MAX_PER_RECIPIENT, MAX_PER_HOUR, sendWithinQuota } from './mail-quota'
import { signInWorld } from './testing/sign-in-world'
import { storedUser } from './testing/stored-user'
import { makeViewer } from './viewer'

const { db, advanceTime, parts } = signInWorld()
const [sara, omar] = [makeViewer(storedUser('sara')), makeViewer(storedUser('omar'))]
let outcome: Delivery['outcome'] = 'sent'
const services = testServices({ ...parts, mailer: { send: async () => ({ outcome, detail: '' }) } })
let made = 0

async function send(viewer: typeof sara, mail: { purpose: Mail['purpose']; about?: string }) {
  const key = `key-${(made += 1)}`
  const delivery = await sendWithinQuota(services, viewer, { to: 'elsa@x.test', subject: 's', text: 't', key, ...mail })
  if (delivery !== null) await recordMailOutcome(db(), key, delivery)
  return delivery
}

test('a user sends so many of a kind in an hour; what was refused does not count, what may have left does', async () => {
  const purpose = 'test'
  outcome = 'refused'
  await send(sara, { purpose })
  outcome = 'sent'
  for (let count = 1; count < MAX_PER_HOUR.test; count++) await send(sara, { purpose })
  advanceTime(60_000)
  outcome = 'unknown'
  await send(sara, { purpose })
  await expect(send(sara, { purpose })).rejects.toMatchObject({ name: 'TooManyTriesError', retryAfterSeconds: 3_540 })
  expect(await db().$count(mails), 'one that is turned away leaves no key').toBe(MAX_PER_HOUR.test + 1)
  expect(await send(sara, { purpose: 'reply' })).not.toBeNull()
  expect(await send(omar, { purpose })).not.toBeNull()
  advanceTime(HOUR_MS - 59_999)
  expect(await send(sara, { purpose })).not.toBeNull()
})

test('about one lead go so many in an hour and in a day, from all users', async () => {
  const mail = { purpose: 'reply', about: 'asked-question 1' } as const
  for (let hour = 0; hour < MAX_PER_RECIPIENT.perDay / MAX_PER_RECIPIENT.perHour; hour++) {
    for (let sent = 0; sent < MAX_PER_RECIPIENT.perHour; sent++) await send(sent % 2 ? sara : omar, mail)
    await expect(send(sara, mail)).rejects.toMatchObject({ reason: 'recipient-busy' })
    advanceTime(HOUR_MS + 1)
  }
  await expect(send(sara, mail), 'all of a day').rejects.toMatchObject({ reason: 'recipient-busy' })
  expect(await send(sara, { ...mail, about: 'asked-question 2' })).not.toBeNull()
})

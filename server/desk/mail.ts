import 'server-only'
import { setTimeout } from 'node:timers/promises'
import type { Connect } from '@/server/db/database'
import type { Env } from '@/server/env'
import type { Tallies } from '@/server/operations/tallies'
import { createPlaces } from '@/server/turns'
import { createDigest, type DigestParts } from './digest'
import { createMailer } from './mailer'
import { createSendOnce } from './send-once'

type Base = Omit<DigestParts, 'mailer' | 'sendOnce'> & {
  env: Pick<Env, 'mail' | 'auth'>
  connect: Connect
  tallies: Pick<Tallies, 'countMail'>
}

/** Each holds a connection to the mail server for as long as that takes. */
const PLACES = { most: 40, mostOfEach: 3, retryAfterSeconds: 5 }

/** What sends mail, where it is set up; without it people use their own mail programs. */
export function composeMail(base: Base) {
  const { env, now, connect, tallies } = base
  const mailer = env.mail && tallies.countMail(createMailer({ settings: env.mail, now }))
  const wait = (ms: number) => setTimeout(ms, undefined, { ref: false })
  const sendOnce = createSendOnce({ connect, now, wait })
  return {
    mailer,
    sendOnce,
    wait,
    mailPlaces: createPlaces(PLACES),
    digest: createDigest({ ...base, mailer, sendOnce }),
  }
}

import 'server-only'
import { setTimeout } from 'node:timers/promises'
import type { Env } from '@/server/env'
import type { Tallies } from '@/server/operations/tallies'
import { createPlaces } from '@/server/turns'
import { createDigest, type DigestParts } from './digest'
import { createMailer } from './mailer'

type Base = Omit<DigestParts, 'mailer'> & {
  env: Pick<Env, 'mail' | 'auth'>
  tallies: Pick<Tallies, 'countMail'>
}

/** Each holds a connection to the mail server for as long as that takes. */
const PLACES = { most: 40, mostOfEach: 3, retryAfterSeconds: 5 }

/** What sends mail, where it is set up; without it people use their own mail programs. */
export function composeMail(base: Base) {
  const { env, now, tallies } = base
  const mailer = env.mail && tallies.countMail(createMailer({ settings: env.mail, now }))
  return {
    mailer,
    wait: (ms: number) => setTimeout(ms, undefined, { ref: false }),
    mailPlaces: createPlaces(PLACES),
    digest: createDigest({ ...base, mailer }),
  }
}

import 'server-only'
import { setTimeout } from 'node:timers/promises'
import { createInFlightLimit } from '@/server/base/concurrency-limit'
import type { BaseServices } from '@/server/base/services'
import { countMails, createMailer } from './mailer'

declare module '@/server/base/services' {
  interface Services extends ReplyServices {}
}

type ReplyServices = ReturnType<typeof createReplyServices>

/** Each holds a connection to the mail server while it sends. */
const MAIL_LIMITS = { max: 40, maxPerKey: 3, retryAfterSeconds: 5 }

/** `mailer` is null without a mail server: users open their own mail programs. */
export function createReplyServices({ env, now, counters }: BaseServices) {
  return {
    mailer: env.mail && countMails(createMailer({ settings: env.mail, now }), counters.mail),
    wait: (ms: number) => setTimeout(ms, undefined, { ref: false }),
    mailPlaces: createInFlightLimit(MAIL_LIMITS),
  }
}

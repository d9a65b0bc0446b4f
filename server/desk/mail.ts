import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { MailTestAnswer } from '@/lib/contract/feed-status'
import { command, type CommandParts, lockPerson } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import type { Env } from '@/server/env'
import { MailNotSentError } from '@/server/errors'
import type { Tallies } from '@/server/operations/tallies'
import { createInFlightLimit } from '@/server/concurrency-limit'
import { createDigest, type DigestParts } from './digest'
import { createMailer, type Mailer, outcomeOf } from './mailer'
import { beginMail, releaseMail } from './mails'

/** `mailer` is null without a mail server: users open their own mail programs. */
export type MailParts = {
  mailer: Pick<Mailer, 'send'> | null
  mailPlaces: ReturnType<typeof createInFlightLimit>
  wait: (ms: number) => Promise<unknown>
}

type Base = Omit<DigestParts, 'mailer'> & {
  env: Pick<Env, 'mail' | 'auth'>
  tallies: Pick<Tallies, 'countMail'>
}

/** Each holds a connection to the mail server while it sends. */
const PLACES = { most: 40, mostOfEach: 3, retryAfterSeconds: 5 }

export function composeMail(base: Base) {
  const { env, now, tallies } = base
  const mailer = env.mail && tallies.countMail(createMailer({ settings: env.mail, now }))
  return {
    mailer,
    wait: (ms: number) => setTimeout(ms, undefined, { ref: false }),
    mailPlaces: createInFlightLimit(PLACES),
    digest: createDigest({ ...base, mailer }),
  }
}

export function canSend({ mailer }: Pick<MailParts, 'mailer'>, _viewer: Allowed<'leads:reply'>): { canSend: boolean } {
  return { canSend: mailer !== null }
}

export async function testMail(
  parts: CommandParts & Pick<MailParts, 'mailer' | 'mailPlaces'> & { now: () => number },
  viewer: Allowed<'admin'>,
): Promise<MailTestAnswer> {
  const { mailer, mailPlaces } = parts
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  const leave = mailPlaces(viewer.id)
  const key = `test-${randomUUID()}`
  try {
    await command(parts, viewer, 'admin', async (tx, log) => {
      log.nothing()
      await lockPerson(tx, viewer)
      await beginMail(tx, parts.now(), { name: key, for: 'test', userId: viewer.id })
    })
    const sent = await mailer.send({ to: viewer.email, key, subject: SUBJECT, text: TEXT, purpose: 'test' })
    if (!sent.ok && sent.kind !== 'unsure') await releaseMail(await parts.connect(), key)
    const outcome = sent.ok ? 'sent' : outcomeOf(sent)
    await command(parts, viewer, 'admin', (_, log) => log({ action: 'mail-tested', details: { outcome } }))
    return { outcome, detail: sent.ok ? '' : sent.detail }
  } finally {
    leave()
  }
}

const SUBJECT = 'Testmejl från Intag · Test message from Intag'
const TEXT = [
  'Det här är ett testmejl som en administratör skickade från Intags sida Driftläge. Kom det fram kan Intag skicka mejl.',
  'This is a test message that an administrator sent from Intag’s status page. If it has arrived, Intag can send mail.',
  '',
].join('\n\n')

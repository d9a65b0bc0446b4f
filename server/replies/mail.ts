import 'server-only'
import { randomUUID } from 'node:crypto'
import type { ReplyWays } from '@/lib/contract/attempts'
import type { MailTestAnswer } from '@/lib/contract/feed-status'
import { command, type CommandParts, lockPerson } from '@/server/access/command'
import { maySee, type Viewer, type Admin, type Sender } from '@/server/access/viewer'
import { MailNotSentError } from '@/server/base/errors'
import type { Work } from '@/server/leads/work'
import type { createInFlightLimit } from '@/server/base/concurrency-limit'
import { type Mail, type Mailer, outcomeOf } from './mailer'
import { beginMail, releaseMail } from './mails'

/** `mailer` is null without a mail server: users open their own mail programs. */
export type MailParts = {
  mailer: Pick<Mailer, 'send'> | null
  mailPlaces: ReturnType<typeof createInFlightLimit>
  wait: (ms: number) => Promise<unknown>
}

/** A school that chose Intag where it cannot send has no way of its own. */
export async function getReplyWays(
  { mailer, work }: Pick<MailParts, 'mailer'> & { work: Pick<Work, 'settings'> },
  viewer: Sender,
): Promise<ReplyWays> {
  const { mailWay } = await work.settings()
  const canSend = mailer !== null
  const ways = Object.entries(mailWay).filter(([id, way]) => maySee(viewer, id) && (canSend || way !== 'intag'))
  return { canSend, ways: Object.fromEntries(ways) }
}

export async function testMail(parts: CountedParts, viewer: Admin): Promise<MailTestAnswer> {
  const tested = await sendCounted(parts, viewer, { to: viewer.email, subject: SUBJECT, text: TEXT, purpose: 'test' })
  await command(parts, viewer, 'admin', (_, log) =>
    log({ action: 'mail-tested', details: { outcome: tested.outcome } }),
  )
  return tested
}

export type CountedParts = CommandParts & Pick<MailParts, 'mailer' | 'mailPlaces'> & { now: () => number }
type CountedMail = Omit<Mail, 'key' | 'purpose'> & { purpose: 'test' | 'link'; recipient?: string }

/** A mail that a user sends now, within the limits of an hour. What surely was not sent does not count. */
export async function sendCounted(
  parts: CountedParts,
  viewer: Viewer,
  { recipient, ...mail }: CountedMail,
): Promise<MailTestAnswer> {
  const { mailer, mailPlaces } = parts
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  const leave = mailPlaces(viewer.id)
  const key = `${mail.purpose}-${randomUUID()}`
  try {
    await command(parts, viewer, 'admin', async (tx, log) => {
      log.nothing()
      await lockPerson(tx, viewer)
      const counted = { name: key, for: mail.purpose, userId: viewer.id, ...(recipient && { recipient }) }
      await beginMail(tx, parts.now(), counted)
    })
    const sent = await mailer.send({ ...mail, key })
    if (!sent.ok && sent.kind !== 'unsure') await releaseMail(await parts.connect(), key)
    return sent.ok ? { outcome: 'sent', detail: '' } : { outcome: outcomeOf(sent), detail: sent.detail }
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

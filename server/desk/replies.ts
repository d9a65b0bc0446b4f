import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNotNull } from 'drizzle-orm'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { Reply, ReplyAnswer } from '@/lib/contract/attempts'
import type { LeadRef } from '@/lib/contract/lead'
import type { CanSendAnswer } from '@/lib/contract/mail'
import { allow, type Allowed } from '@/server/access/viewer'
import { attempts } from '@/server/db/schema'
import { MailNotSentError, NotFoundError, TooManyTriesError } from '@/server/errors'
import { checkFollowUpDay } from '@/server/triage/change-triage'
import { leadTable, schoolOfShownLead } from '@/server/leads/select-leads'
import type { Logger } from '@/server/logger'
import type { Work } from '@/server/settings/work'
import type { createPlaces } from '@/server/turns'
import { type AttemptParts, findSent, sentKeyOf, writeAttempt } from '@/server/triage/attempts'
import type { Mailer } from './mailer'
import type { SendOnce } from './send-once'

/** What sends mail; `mailer` is null where none is set up. */
export type MailParts = {
  mailer: Pick<Mailer, 'send'> | null
  sendOnce: Pick<SendOnce, 'once'>
  mailPlaces: ReturnType<typeof createPlaces>
  /** Waits for so many milliseconds. */
  wait: (ms: number) => Promise<unknown>
}
type Parts = AttemptParts & MailParts & { work: Pick<Work, 'settings'>; logger: Pick<Logger, 'warn' | 'error'> }

const HOUR_MS = 3_600_000
/** More than anybody writes, and few enough that an account in wrong hands is no source of mail. */
export const MOST_AN_HOUR = 60

/** Whether Intag sends mail itself. */
export function canSend({ mailer }: Pick<MailParts, 'mailer'>, _viewer: Allowed<'leads:reply'>): CanSendAnswer {
  return { canSend: mailer !== null }
}

/**
 * Sends a reply to the lead's own address, and notes that it was sent with what is decided about the lead. Whoever goes away
 * meanwhile changes nothing. What the server took is answered as sent, whether it could be noted or not. NotFoundError and
 * ForbiddenError as for every lead, TooManyTriesError, and MailNotSentError, after which nothing is noted.
 */
export async function sendReply(parts: Parts, viewer: Allowed<'leads:reply'>, reply: Reply): Promise<ReplyAnswer> {
  const { mailer, sendOnce, mailPlaces } = parts
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  if (isDecided(reply)) allow(viewer, 'leads:triage')
  checkFollowUpDay(parts, reply.snoozeUntil)
  const school = await schoolOfShownLead(parts, viewer, reply)
  const to = await addressOf(parts, viewer, reply)
  const sentKey = sentKeyOf(viewer.id, reply, reply.key ?? randomUUID())
  const leave = mailPlaces(viewer.id)
  try {
    return await sendOnce.once<ReplyAnswer>(sentKey, {
      found: (db) => findSent(db, parts, viewer, { sentKey, isDecided: isDecided(reply) }),
      send: async () => {
        await requireFewerThanMost(parts, viewer)
        const { subject, body: text } = reply
        const { replyTo } = await parts.work.settings()
        const delivery = await mailer.send({
          to,
          subject,
          text,
          key: sentKey,
          purpose: 'reply',
          replyTo: replyTo[school],
        })
        if (!delivery.ok) throw new MailNotSentError(delivery.kind, delivery.detail)
        return note(parts, viewer, school, { reply, sentKey, sentAt: new Date(parts.now()), isLate: false })
      },
    })
  } finally {
    leave()
  }
}

function isDecided({ status, snoozeUntil }: Reply): boolean {
  return status !== undefined || snoozeUntil !== undefined
}

/** The lead's own address and no other. What is in a protected person's lead was refused before. */
async function addressOf(parts: Parts, viewer: Allowed<'leads:reply'>, { kind, id }: LeadRef): Promise<string> {
  const table = await leadTable(parts, viewer, kind)
  const row = table.rowOf(id)
  // Withdrawn since its school was looked up.
  if (row === -1) throw new NotFoundError()
  const lead = table.lead(row)
  const email = ('sender' in lead ? lead.sender : lead.user).email?.trim() ?? ''
  if (!isMailAddress(email)) throw new MailNotSentError('no-address')
  return email
}

/** Counted by what was sent, so that it holds for all instances. */
async function requireFewerThanMost({ connect, now }: Parts, viewer: Allowed<'leads:reply'>): Promise<void> {
  const db = await connect()
  const isMine = and(eq(attempts.userId, viewer.id), isNotNull(attempts.sentKey))
  const sent = await db
    .select({ at: attempts.at })
    .from(attempts)
    .where(and(isMine, gt(attempts.at, new Date(now() - HOUR_MS))))
    .orderBy(attempts.at)
  const [oldest] = sent.slice(-MOST_AN_HOUR)
  if (sent.length < MOST_AN_HOUR || oldest === undefined) return
  throw new TooManyTriesError(Math.max(1, Math.ceil((oldest.at.getTime() + HOUR_MS - now()) / 1000)))
}

const NOTE_AGAIN_MS = [200, 500, 1_000, 2_000, 4_000]
const LATER_MS = 10_000
const LATER_TIMES = 360

type Sent = { reply: Reply; sentKey: string; sentAt: Date; isLate: boolean }
type ToKeep = [parts: Parts, viewer: Allowed<'leads:reply'>, school: string, given: Sent]

/** The server has it, so this must be kept: a few times at once, and for an hour without whoever waits. */
async function note(...[parts, viewer, school, given]: ToKeep): Promise<ReplyAnswer> {
  for (const ms of [0, ...NOTE_AGAIN_MS]) {
    if (ms > 0) await parts.wait(ms)
    const noted = await noteOnce(parts, viewer, school, given)
    if (noted !== null) return noted
  }
  const { kind, id, status, snoozeUntil } = given.reply
  // Nothing of the text is kept for it.
  const ids = { kind, id, status, snoozeUntil, subject: '', body: '' }
  void noteLater(parts, viewer, school, { ...given, reply: ids, isLate: true })
  return { attempt: null, undo: '' }
}

async function noteLater(...[parts, viewer, school, given]: ToKeep): Promise<void> {
  const lead = { kind: given.reply.kind, lead: given.reply.id }
  parts.logger.warn(lead, 'a mail was sent and cannot be noted yet')
  for (let times = 0; times < LATER_TIMES; times += 1) {
    await parts.wait(LATER_MS)
    if (await noteOnce(parts, viewer, school, given)) return
  }
  parts.logger.error(lead, 'a mail was sent and could not be noted within an hour')
}

/** Null when it could not be written. What was written although nobody heard so is found by its name. */
async function noteOnce(
  ...[parts, viewer, school, { reply, sentKey, sentAt, isLate }]: ToKeep
): Promise<ReplyAnswer | null> {
  const { kind, id, status, snoozeUntil } = reply
  try {
    const before = await findSent(await parts.connect(), parts, viewer, { sentKey, isDecided: isDecided(reply) })
    if (before !== null) return before
    const what = { kind, id, channel: 'email', outcome: 'sent', status, snoozeUntil, sentKey } as const
    return await writeAttempt(parts, viewer, school, { ...what, at: sentAt, isLate })
  } catch (err) {
    parts.logger.warn({ err }, 'that a mail was sent could not be written down')
    return null
  }
}

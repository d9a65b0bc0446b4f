import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { Reply, ReplyAnswer } from '@/lib/contract/attempts'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { CanSendAnswer } from '@/lib/contract/mail'
import { isHiddenRow } from '@/lib/leads/protected-table'
import { command } from '@/server/access/command'
import { allow, type Allowed } from '@/server/access/viewer'
import type { Activity } from '@/server/activity/activity'
import type { ContactIds } from '@/server/contacts/contact-id'
import { mails } from '@/server/db/mail-schema'
import { attempts } from '@/server/db/schema'
import { MailNotSentError, NotFoundError } from '@/server/errors'
import { checkFollowUpDay } from '@/server/triage/change-triage'
import { leadsBeside, leadTable, schoolInReach, schoolOfShownLead } from '@/server/leads/select-leads'
import type { Logger } from '@/server/logger'
import type { Work } from '@/server/settings/work'
import type { createPlaces } from '@/server/turns'
import {
  type AttemptParts,
  beginMailed,
  emptyAttempts,
  findSent,
  sentKeyOf,
  writeAttempt,
} from '@/server/triage/attempts'
import { lockTriage } from '@/server/triage/write-triage'
import { beginMail, digestOf, recipientOf } from './mail-limits'
import { type Mailer, outcomeOf } from './mailer'
import type { SendOnce } from './send-once'

/** What sends mail; `mailer` is null where none is set up. */
export type MailParts = {
  mailer: Pick<Mailer, 'send'> | null
  sendOnce: Pick<SendOnce, 'once' | 'release'>
  mailPlaces: ReturnType<typeof createPlaces>
  /** Waits for so many milliseconds. */
  wait: (ms: number) => Promise<unknown>
}
type Parts = AttemptParts &
  MailParts & {
    work: Pick<Work, 'settings'>
    activity: Pick<Activity, 'record'>
    contactIds: ContactIds
    logger: Pick<Logger, 'warn' | 'error'>
  }

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
  const key = reply.key ?? randomUUID()
  const sentKey = sentKeyOf(viewer.id, reply, key)
  const digest = digestOf(reply, key)
  const leave = mailPlaces(viewer.id)
  let begun: Begun = { id: 0, at: new Date(parts.now()) }
  try {
    return await sendOnce.once<ReplyAnswer>(sentKey, {
      digest,
      found: (db) => findSent(db, parts, viewer, { sentKey, isDecided: isDecided(reply) }),
      begin: async () => {
        const made = await begin(parts, viewer, { reply, sentKey, digest, to })
        if (made !== null) begun = made
        return made !== null
      },
      send: async () => {
        const { subject, body: text } = reply
        const { replyTo } = await parts.work.settings()
        const mail = { to, subject, text, key: sentKey, purpose: 'reply', replyTo: replyTo[school] } as const
        const delivery = await mailer.send(mail)
        const given = { reply, sentKey, begun, isLate: false }
        if (delivery.ok) return note(parts, viewer, school, given)
        if (delivery.kind === 'unsure') await logUnsure(parts, viewer, school, given)
        throw new MailNotSentError(outcomeOf(delivery), delivery.detail)
      },
      withdraw: () => withdraw(parts, viewer, school, { kind: reply.kind, sentKey, begun }),
    })
  } finally {
    leave()
  }
}

/** The attempt that stands on the lead before anything is sent. */
type Begun = { id: number; at: Date }
type ToBegin = { reply: Reply; sentKey: string; digest: string; to: string }

/** It counts and stands on the lead before anything goes out; all writers' lock holds for all instances. Null: begun by another. */
async function begin(parts: Parts, viewer: Allowed<'leads:reply'>, given: ToBegin): Promise<Begun | null> {
  const { reply, sentKey, digest, to } = given
  const now = parts.now()
  const at = new Date(now)
  const isShown = await shownLeads(parts, viewer)
  return command(parts, viewer, 'leads:reply', async (tx, log) => {
    // What comes of it is logged.
    log.nothing()
    await lockTriage(tx)
    const recipient = recipientOf(parts, to)
    const mail = { name: sentKey, for: 'reply', userId: viewer.id, recipient, digest } as const
    if (!(await beginMail(tx, now, mail, isShown))) return null
    const id = await beginMailed(tx, viewer, reply, { sentKey, at })
    // Its row has gone after a month, and its attempt stands.
    if (id === null) throw new MailNotSentError('unsure')
    return { id, at }
  })
}

/** Whether the viewer may see a lead and who it is by. */
async function shownLeads(parts: Parts, viewer: Allowed<'leads:reply'>): Promise<(lead: LeadRef) => boolean> {
  const tables = {
    'asked-question': await leadsBeside(parts, viewer, 'asked-question'),
    'declaration-of-interest': await leadsBeside(parts, viewer, 'declaration-of-interest'),
  }
  return ({ kind, id }) => {
    const table = tables[kind]
    return table !== null && schoolInReach(table, viewer, id) !== null && !isHiddenRow(table, table.rowOf(id))
  }
}

type ToWithdraw = { kind: LeadKind; sentKey: string; begun: Begun }

/** Surely nothing was sent: neither counts, and the lead is as before. */
async function withdraw(
  parts: Parts,
  viewer: Allowed<'leads:reply'>,
  school: string,
  { kind, sentKey, begun }: ToWithdraw,
) {
  await command(parts, viewer, 'leads:reply', async (tx, log) => {
    log.nothing()
    await lockTriage(tx)
    await emptyAttempts(tx, eq(attempts.id, begun.id), new Date(parts.now()))
    await tx.delete(mails).where(eq(mails.name, sentKey))
  })
  parts.announcer.triage(kind, viewer.id, [school])
}

/** What the lead says of it already; the log says so as well, as soon as it is known. */
async function logUnsure(...[parts, viewer, school, { reply, begun }]: ToKeep): Promise<void> {
  const { kind, id } = reply
  const details = { attempt: begun.id, channel: 'email', outcome: 'unsure' }
  await parts.activity
    .record({ userId: viewer.id, action: 'attempt-logged', lead: { kind, id }, details })
    .catch((err: unknown) => parts.logger.warn({ err }, 'that a mail may have been sent could not be logged'))
  parts.announcer.triage(kind, viewer.id, [school])
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

const NOTE_AGAIN_MS = [200, 500, 1_000, 2_000, 4_000]
const LATER_MS = 10_000
const LATER_TIMES = 360

type Sent = { reply: Reply; sentKey: string; begun: Begun; isLate: boolean }
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
  ...[parts, viewer, school, { reply, sentKey, begun, isLate }]: ToKeep
): Promise<ReplyAnswer | null> {
  const { kind, id, status, snoozeUntil } = reply
  try {
    const before = await findSent(await parts.connect(), parts, viewer, { sentKey, isDecided: isDecided(reply) })
    if (before !== null) return before
    const what = { kind, id, channel: 'email', outcome: 'sent', status, snoozeUntil } as const
    return await writeAttempt(parts, viewer, school, { ...what, at: begun.at, begun: begun.id, isLate })
  } catch (err) {
    parts.logger.warn({ err }, 'that a mail was sent could not be written down')
    return null
  }
}

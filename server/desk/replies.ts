import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { Reply, ReplyAnswer } from '@/lib/contract/attempts'
import type { LeadRef } from '@/lib/contract/lead'
import { isHiddenRow } from '@/lib/leads/protected-table'
import { command } from '@/server/access/command'
import { allow, type Allowed } from '@/server/access/viewer'
import type { Activity } from '@/server/activity/activity'
import type { ContactIds } from '@/server/contacts/contact-id'
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
import { type Mailer, outcomeOf } from './mailer'
import { beginMail, digestOf, findMail, isUnderWay, markMail, recipientOf, releaseMail } from './mails'

/** What sends mail; `mailer` is null where none is set up. */
export type MailParts = {
  mailer: Pick<Mailer, 'send'> | null
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
export function canSend({ mailer }: Pick<MailParts, 'mailer'>, _viewer: Allowed<'leads:reply'>): { canSend: boolean } {
  return { canSend: mailer !== null }
}

/** A reply, and how it is known again: by a name that the browser gave it, and what tells its text from another. */
type NamedReply = { reply: Reply; school: string; to: string; sentKey: string; digest: string }
/** The attempt that stands on the lead before anything is sent. */
type Begun = { id: number; at: Date }
type Sender = Allowed<'leads:reply'>

/**
 * Sends a reply to the lead's own address, and notes that it was sent with what is decided about the lead. Whoever goes away
 * meanwhile changes nothing. What the server took is answered as sent, whether it could be noted or not. NotFoundError and
 * ForbiddenError as for every lead, TooManyTriesError, and MailNotSentError, after which nothing is noted.
 */
export async function sendReply(parts: Parts, viewer: Sender, reply: Reply): Promise<ReplyAnswer> {
  const { mailer, mailPlaces } = parts
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  if (isDecided(reply)) allow(viewer, 'leads:triage')
  checkFollowUpDay(parts, reply.snoozeUntil)
  const school = await schoolOfShownLead(parts, viewer, reply)
  const to = await addressOf(parts, viewer, reply)
  const key = reply.key ?? randomUUID()
  const given = { reply, school, to, sentKey: sentKeyOf(viewer.id, reply, key), digest: digestOf(reply, key) }
  const leave = mailPlaces(viewer.id)
  try {
    return await sendOnce(parts, mailer, viewer, given)
  } finally {
    leave()
  }
}

const LOOK_EVERY_MS = 250

/** For two clicks, for two instances, and when one of them died in the middle: what may have been sent is not sent again. */
async function sendOnce(...[parts, mailer, viewer, given]: ToSend): Promise<ReplyAnswer> {
  const { reply, sentKey, digest } = given
  for (;;) {
    const db = await parts.connect()
    const row = await findMail(db, sentKey)
    // One name is one mail; another text under it would never be sent, and nobody would know.
    if (row !== null && row.digest !== null && row.digest !== digest) throw new MailNotSentError('other-text')
    const before = await findSent(db, parts, viewer, { sentKey, isDecided: isDecided(reply) })
    if (before !== null) return before
    const begun = row === null ? await begin(parts, viewer, given) : null
    if (begun !== null) return send(parts, mailer, viewer, { ...given, begun })
    if (row !== null && !isUnderWay(row, parts.now())) throw new MailNotSentError('unsure')
    await parts.wait(LOOK_EVERY_MS)
  }
}

type ToSend<Given = NamedReply> = [parts: Parts, mailer: Pick<Mailer, 'send'>, viewer: Sender, given: Given]

async function send(...[parts, mailer, viewer, given]: ToSend<NamedReply & { begun: Begun }>): Promise<ReplyAnswer> {
  const { reply, school, to, sentKey, begun } = given
  const { kind, id, subject, body: text, status, snoozeUntil } = reply
  const handOver = async () => {
    const { replyTo } = await parts.work.settings()
    return mailer.send({ to, subject, text, key: sentKey, purpose: 'reply', replyTo: replyTo[school] })
  }
  // If this fails, too, the row stays as it is, and means the same after a while.
  const keep = (what: Promise<void>) => what.catch(() => {})
  const mark = async (state: 'sent' | 'unsure') => markMail(await parts.connect(), sentKey, state)
  const delivery = await handOver().catch(async (error: unknown) => {
    await keep(withdraw(parts, viewer, given))
    throw error
  })
  if (delivery.ok) {
    // Of the text nothing is kept for it.
    const noted = await note(parts, viewer, { kind, id, status, snoozeUntil, school, sentKey, begun })
    await keep(mark('sent'))
    return noted
  }
  if (delivery.kind === 'unsure') {
    await logUnsure(parts, viewer, given)
    await keep(mark('unsure'))
  } else await keep(withdraw(parts, viewer, given))
  throw new MailNotSentError(outcomeOf(delivery), delivery.detail)
}

/** It counts and stands on the lead before anything goes out; all writers' lock holds for all instances. Null: begun by another. */
async function begin(parts: Parts, viewer: Sender, given: NamedReply): Promise<Begun | null> {
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
async function shownLeads(parts: Parts, viewer: Sender): Promise<(lead: LeadRef) => boolean> {
  const tables = {
    'asked-question': await leadsBeside(parts, viewer, 'asked-question'),
    'declaration-of-interest': await leadsBeside(parts, viewer, 'declaration-of-interest'),
  }
  return ({ kind, id }) => {
    const table = tables[kind]
    return table !== null && schoolInReach(table, viewer, id) !== null && !isHiddenRow(table, table.rowOf(id))
  }
}

type OfBegun = Pick<NamedReply, 'reply' | 'school' | 'sentKey'> & { begun: Begun }

/** Surely nothing was sent: neither counts, and the lead is as before. */
async function withdraw(parts: Parts, viewer: Sender, { reply, school, sentKey, begun }: OfBegun): Promise<void> {
  await command(parts, viewer, 'leads:reply', async (tx, log) => {
    log.nothing()
    await lockTriage(tx)
    await emptyAttempts(tx, eq(attempts.id, begun.id), new Date(parts.now()))
    await releaseMail(tx, sentKey)
  })
  parts.announcer.triage(reply.kind, viewer.id, [school])
}

/** What the lead says of it already; the log says so as well, as soon as it is known. */
async function logUnsure(parts: Parts, viewer: Sender, { reply, school, begun }: OfBegun): Promise<void> {
  const { kind, id } = reply
  const details = { attempt: begun.id, channel: 'email', outcome: 'unsure' }
  await parts.activity
    .record({ userId: viewer.id, action: 'attempt-logged', lead: { kind, id }, details })
    .catch((err: unknown) => parts.logger.warn({ err }, 'that a mail may have been sent could not be logged'))
  parts.announcer.triage(kind, viewer.id, [school])
}

function isDecided({ status, snoozeUntil }: Pick<Reply, 'status' | 'snoozeUntil'>): boolean {
  return status !== undefined || snoozeUntil !== undefined
}

/** The lead's own address and no other. What is in a protected person's lead was refused before. */
async function addressOf(parts: Parts, viewer: Sender, { kind, id }: LeadRef): Promise<string> {
  const table = await leadTable(parts, viewer, kind)
  const row = table.rowOf(id)
  // Withdrawn since its school was looked up.
  if (row === -1) throw new NotFoundError()
  const lead = table.lead(row)
  const email = ('sender' in lead ? lead.sender : lead.user).email?.trim() ?? ''
  if (!isMailAddress(email)) throw new MailNotSentError('no-address')
  return email
}

/** A few times while the person waits, then for an hour without them. */
const NOTE_AFTER_MS = [0, 200, 500, 1_000, 2_000, 4_000]
const LATER_AFTER_MS = Array<number>(360).fill(10_000)

/** The mail server has it, so this must be kept: ids and what was decided, nothing of the text. */
type ToNote = Pick<Reply, 'kind' | 'id' | 'status' | 'snoozeUntil'> & Omit<OfBegun, 'reply'>

async function note(parts: Parts, viewer: Sender, sent: ToNote): Promise<ReplyAnswer> {
  const keepNoting = async (afterMs: readonly number[], isLate: boolean) => {
    for (const ms of afterMs) {
      await parts.wait(ms)
      const noted = await noteOnce(parts, viewer, sent, isLate)
      if (noted !== null) return noted
    }
    return null
  }
  const noted = await keepNoting(NOTE_AFTER_MS, false)
  if (noted !== null) return noted
  const lead = { kind: sent.kind, lead: sent.id }
  parts.logger.warn(lead, 'a mail was sent and cannot be noted yet')
  void keepNoting(LATER_AFTER_MS, true).then(
    (later) => later ?? parts.logger.error(lead, 'a mail was sent and could not be noted within an hour'),
  )
  return { attempt: null, undo: '' }
}

/** Null when it could not be written. What was written although nobody heard so is found by its name. */
async function noteOnce(
  ...[parts, viewer, { school, sentKey, begun, ...sent }, isLate]: [Parts, Sender, ToNote, boolean]
): Promise<ReplyAnswer | null> {
  try {
    const before = await findSent(await parts.connect(), parts, viewer, { sentKey, isDecided: isDecided(sent) })
    if (before !== null) return before
    const what = { ...sent, channel: 'email', outcome: 'sent' } as const
    return await writeAttempt(parts, viewer, school, { ...what, at: begun.at, begun: begun.id, isLate })
  } catch (err) {
    parts.logger.warn({ err }, 'that a mail was sent could not be written down')
    return null
  }
}

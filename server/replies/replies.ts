import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { plainEmail } from '@/lib/contacts/contact-key'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { Reply, ReplyAnswer, SettleReply } from '@/lib/contract/attempts'
import type { LeadRef } from '@/lib/contract/lead'
import { isHiddenRow } from '@/lib/leads/lead-table'
import { command } from '@/server/access/command'
import { allow, type Sender } from '@/server/access/viewer'
import { attempts, mails } from '@/server/base/schema'
import { ConflictError, MailNotSentError, NotFoundError } from '@/server/base/errors'
import { leadsOrNull, leadTable, schoolInReach, schoolOfShownLead } from '@/server/leads/select-leads'
import type { Logger } from '@/server/base/logger'
import {
  type AttemptParts,
  insertUnsureMail,
  emptyAttempts,
  findSent,
  sentKeyOf,
  markMailSent,
  writeAttempt,
} from '@/server/leads/attempts'
import { checkFollowUpDay } from '@/server/leads/change-triage'
import { lockTriage } from '@/server/leads/write-triage'
import type { Services } from '@/server/base/services'
import type { MailParts } from './mail'
import { type Mailer, outcomeOf } from './mailer'
import { beginMail, digestOf, findMail, isUnderWay, markMail, recipientOf, releaseMail } from './mails'

type Parts = AttemptParts &
  MailParts &
  Pick<Services, 'work' | 'activity' | 'contactIds'> & { logger: Pick<Logger, 'warn' | 'error'> }
/** `sentKey`, from the browser, makes sending idempotent; `digest` recognises another text under the same key. */
type IdentifiedReply = { reply: Reply; school: string; to: string; sentKey: string; digest: string }
/** A mail in progress: ids and decisions, none of the text. `attempt` is written before anything is sent. */
type StartedReply = Pick<Reply, 'kind' | 'id' | 'status' | 'snoozeUntil'> &
  Pick<IdentifiedReply, 'school' | 'sentKey'> & { attempt: number; at: Date }

/** Whatever the server accepted is reported as sent, noted or not. A disconnecting browser changes nothing. */
export async function sendReply(parts: Parts, viewer: Sender, reply: Reply): Promise<ReplyAnswer> {
  const { mailer, mailPlaces } = parts
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  if (isDecided(reply)) allow(viewer, 'leads:triage')
  checkFollowUpDay(parts, reply.snoozeUntil)
  const school = await schoolOfShownLead(parts, viewer, reply)
  const to = await addressOf(parts, viewer, reply)
  const key = reply.key ?? randomUUID()
  const identified = { reply, school, to, sentKey: sentKeyOf(viewer.id, reply, key), digest: digestOf(reply, key) }
  const releasePlace = mailPlaces(viewer.id)
  try {
    return await sendOnce({ ...parts, mailer }, viewer, identified)
  } finally {
    releasePlace()
  }
}

type SendParts = Parts & { mailer: Pick<Mailer, 'send'> }
const POLL_MS = 250

/** Against double clicks, two instances, and a crash in between: a mail that may have been sent is not sent again. */
async function sendOnce(parts: SendParts, viewer: Sender, identified: IdentifiedReply): Promise<ReplyAnswer> {
  const { reply, sentKey, digest } = identified
  for (;;) {
    const db = await parts.connect()
    const row = await findMail(db, sentKey)
    // Another text under the same key would silently never be sent.
    if (row !== null && row.digest !== null && row.digest !== digest) throw new MailNotSentError('other-text')
    const before = await findSent(db, parts, viewer, { sentKey, isDecided: isDecided(reply) })
    if (before !== null) return before
    const started = row === null ? await startReply(parts, viewer, identified) : null
    if (started !== null) return send(parts, viewer, identified, started)
    if (row !== null && !isUnderWay(row, parts.now())) throw new MailNotSentError('unsure')
    await parts.wait(POLL_MS)
  }
}

async function send(parts: SendParts, viewer: Sender, identified: IdentifiedReply, started: StartedReply) {
  const { school, to, sentKey, reply } = identified
  // If this fails the row stays as it is, and is read as unsure after a while.
  const mark = async (state: 'sent' | 'unsure') => markMail(await parts.connect(), sentKey, state)
  const tryWithdraw = () => withdraw(parts, viewer, started).catch(() => {})
  const deliver = async () => {
    const { replyTo } = await parts.work.settings()
    const { subject, body: text } = reply
    return parts.mailer.send({ to, subject, text, key: sentKey, purpose: 'reply', replyTo: replyTo[school] })
  }
  const delivery = await deliver().catch(async (error: unknown) => {
    await tryWithdraw()
    throw error
  })
  if (delivery.ok) {
    const noted = await note(parts, viewer, started)
    await mark('sent').catch(() => {})
    return noted
  }
  if (delivery.kind === 'unsure') {
    await logUnsure(parts, viewer, started)
    await mark('unsure').catch(() => {})
  } else await tryWithdraw()
  throw new MailNotSentError(outcomeOf(delivery), delivery.detail)
}

/** Counted and noted on the lead before anything is sent. Null: begun by another. */
async function startReply(parts: Parts, viewer: Sender, identified: IdentifiedReply): Promise<StartedReply | null> {
  const { sentKey, digest, to, school } = identified
  const { kind, id, status, snoozeUntil } = identified.reply
  const now = parts.now()
  const at = new Date(now)
  const isShown = await shownLeads(parts, viewer)
  return command(parts, viewer, 'leads:reply', async (tx, log) => {
    log.nothing()
    await lockTriage(tx, viewer, 'one')
    const recipient = recipientOf(parts, to)
    const mail = { name: sentKey, for: 'reply', userId: viewer.id, recipient, digest } as const
    if (!(await beginMail(tx, now, mail, isShown))) return null
    const attempt = await insertUnsureMail(tx, viewer, { kind, id }, { sentKey, at })
    // The row is deleted after a month, the attempt is not.
    if (attempt === null) throw new MailNotSentError('unsure')
    return { kind, id, status, snoozeUntil, school, sentKey, attempt, at }
  })
}

async function shownLeads(parts: Parts, viewer: Sender): Promise<(lead: LeadRef) => boolean> {
  const tables = {
    'asked-question': await leadsOrNull(parts, viewer, 'asked-question'),
    'declaration-of-interest': await leadsOrNull(parts, viewer, 'declaration-of-interest'),
  }
  return ({ kind, id }) => {
    const table = tables[kind]
    return table !== null && schoolInReach(table, viewer, id) !== null && !isHiddenRow(table, table.rowOf(id))
  }
}

/** Surely nothing was sent: it does not count, and the lead is as before. */
async function withdraw(parts: Parts, viewer: Sender, { kind, school, sentKey, attempt }: StartedReply): Promise<void> {
  await command(parts, viewer, 'leads:reply', async (tx, log) => {
    log.nothing()
    await lockTriage(tx, viewer, 'one')
    await emptyAttempts(tx, eq(attempts.id, attempt), new Date(parts.now()))
    await releaseMail(tx, sentKey)
  })
  parts.announcer.triage(kind, viewer.id, [school])
}

async function logUnsure(parts: Parts, viewer: Sender, { kind, id, school, attempt }: StartedReply): Promise<void> {
  const details = { attempt, channel: 'email', outcome: 'unsure' }
  await parts.activity
    .record({ userId: viewer.id, action: 'attempt-logged', lead: { kind, id }, details })
    .catch((err: unknown) => parts.logger.warn({ err }, 'that a mail may have been sent could not be logged'))
  parts.announcer.triage(kind, viewer.id, [school])
}

function isDecided({ status, snoozeUntil }: Pick<Reply, 'status' | 'snoozeUntil'>): boolean {
  return status !== undefined || snoozeUntil !== undefined
}

/** Only the lead's own address. A hidden identity was refused before. */
async function addressOf(parts: Parts, viewer: Sender, { kind, id }: LeadRef): Promise<string> {
  const table = await leadTable(parts, viewer, kind)
  const row = table.rowOf(id)
  // Withdrawn since the school was looked up.
  if (row === -1) throw new NotFoundError()
  const lead = table.lead(row)
  const { email: written } = 'sender' in lead ? lead.sender : lead.user
  const email = written === null ? '' : plainEmail(written)
  if (!isMailAddress(email)) throw new MailNotSentError('no-address')
  return email
}

/** A few times while the user waits, then for an hour in the background. */
const NOTE_AFTER_MS = [0, 200, 500, 1_000, 2_000, 4_000]
const BACKGROUND_AFTER_MS = Array<number>(360).fill(10_000)

async function note(parts: Parts, viewer: Sender, started: StartedReply): Promise<ReplyAnswer> {
  const retryNoting = async (afterMs: readonly number[], isLate: boolean) => {
    for (const ms of afterMs) {
      await parts.wait(ms)
      const noted = await noteOnce(parts, viewer, started, isLate)
      if (noted !== null) return noted
    }
    return null
  }
  const noted = await retryNoting(NOTE_AFTER_MS, false)
  if (noted !== null) return noted
  const lead = { kind: started.kind, lead: started.id }
  parts.logger.warn(lead, 'a mail was sent and cannot be noted yet')
  void retryNoting(BACKGROUND_AFTER_MS, true).then(
    (later) => later ?? parts.logger.error(lead, 'a mail was sent and could not be noted within an hour'),
  )
  return { attempt: null, undo: '' }
}

/** Finds by its key what was written although the answer was lost. */
async function noteOnce(parts: Parts, viewer: Sender, started: StartedReply, isLate: boolean) {
  const { school, sentKey, attempt, ...rest } = started
  try {
    const before = await findSent(await parts.connect(), parts, viewer, { sentKey, isDecided: isDecided(started) })
    if (before !== null) return before
    const sent = { ...rest, channel: 'email', outcome: 'sent', unsureAttempt: attempt, isLate } as const
    return await writeAttempt(parts, viewer, school, sent)
  } catch (err) {
    parts.logger.warn({ err }, 'that a mail was sent could not be written down')
    return null
  }
}

/** The user's word, unless the mail server is known to have accepted it. */
export async function settleReply(
  parts: AttemptParts,
  viewer: Sender,
  { kind, id, attempt: attemptId, wasSent }: SettleReply,
): Promise<{ wasSent: boolean }> {
  const lead = { kind, id }
  const school = await schoolOfShownLead(parts, viewer, lead)
  const attempt = Number(attemptId)
  const isSent = await command(parts, viewer, 'leads:reply', async (tx, log) => {
    await lockTriage(tx, viewer, 'one')
    const isIt = and(eq(attempts.id, attempt), eq(attempts.kind, kind), eq(attempts.leadId, id))
    const [row] = await tx.select().from(attempts).where(isIt).for('update')
    if (row?.outcome !== 'unsure') throw new ConflictError('It is known by now whether this was sent')
    const name = row.sentKey ?? ''
    const mail = await findMail(tx, name)
    if (mail && isUnderWay(mail, parts.now())) throw new ConflictError('This is being sent')
    if (wasSent || mail?.state === 'sent') {
      await markMailSent(tx, attempt)
      await markMail(tx, name, 'sent')
      const details = { attempt, channel: 'email', outcome: 'sent', sender: row.userId }
      await log({ action: 'attempt-logged', lead, details })
      return true
    }
    await emptyAttempts(tx, isIt, new Date(parts.now()))
    // Renamed it still counts, and the same mail may be sent again.
    const renamed = { name: `${name} ${attempt}` }
    await tx.update(mails).set(renamed).where(eq(mails.name, name))
    await log({ action: 'attempt-undone', lead, details: { attempt, sender: row.userId } })
    return false
  })
  parts.announcer.triage(kind, viewer.id, [school])
  if (isSent && !wasSent) throw new ConflictError('The mail server has taken it: it was sent')
  return { wasSent }
}

import { randomUUID } from 'node:crypto'
import { readContactDetails, toPlainEmail } from '@/lib/contacts/contact-key'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { Reply } from '@/lib/contract/attempts'
import type { Answer } from '@/lib/contract/endpoints'
import { leadKey } from '@/lib/leads/lead-key'
import { findMailOutcome, recordMailOutcome, sendWithinQuota } from '@/server/access/mail-quota'
import { maySeeSchool, type Replier } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { MailNotSentError, NotReadyError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { findSentMail, hashAttemptKey, recordAttempt, requireDecider } from '@/server/leads/attempts'
import { requireLead } from '@/server/leads/lead-tables'

/** Returns how each school replies. Schools that chose Intag are left out while Intag cannot send mail. */
export async function getReplyWays({ mailer, work }: Services, viewer: Replier) {
  const { mailWay } = await work.getSettings()
  const canSend = mailer !== null
  const ways = Object.entries(mailWay).filter(([id, way]) => maySeeSchool(viewer, id) && (canSend || way !== 'intag'))
  return { canSend, ways: Object.fromEntries(ways) }
}

/** Mails the lead's own address and no other, once for each idempotency key, and records the mail with the decision. */
export async function sendReply(
  services: Services,
  viewer: Replier,
  reply: Reply,
): Promise<Answer<'POST /api/replies'>> {
  const { kind, id, subject, body: text, status, snoozeUntil } = reply
  if (services.mailer === null) throw new MailNotSentError('mail-not-set-up')
  const lead = { kind, id }
  requireDecider(viewer, reply)
  const { table, row, school } = await requireLead(services, viewer, lead)
  const { email } = readContactDetails(table.getLead(row))
  const to = email === null ? '' : toPlainEmail(email)
  if (!isMailAddress(to)) throw new MailNotSentError('no-address')
  // A request without a key is never taken for a repeated one.
  const key = hashAttemptKey(viewer.id, lead, reply.key ?? randomUUID())
  const { replyTo } = await services.work.getSettings()
  const mail = { to, subject, text, key, purpose: 'reply', replyTo: replyTo[school], about: leadKey(lead) } as const
  // The key is stored before the mail is sent, so that a repeated key sends nothing and gets the first answer.
  const delivery = await sendWithinQuota(services, viewer, mail)
  if (delivery === null) {
    const outcome = await findMailOutcome(await services.connect(), key, services.now())
    if (outcome === null) throw new NotReadyError('This mail is being sent')
    if (outcome !== 'sent') throw new MailNotSentError(outcome)
    return (await findSentMail(services, viewer, lead, key)) ?? { attempt: null, undo: '' }
  }
  if (delivery.outcome !== 'sent') {
    // A failure to record is ignored, because the user must read why the mail was not sent.
    const recording = services.connect().then((db) => recordMailOutcome(db, key, delivery))
    await recording.catch(() => {})
    throw new MailNotSentError(delivery.outcome, delivery.detail)
  }
  const attempt = { ...lead, channel: 'email', outcome: 'sent', status, snoozeUntil, key } as const
  try {
    const recordMail = (tx: Db) => recordMailOutcome(tx, key, delivery)
    return await recordAttempt(services, viewer, { attempt, school, recordMail })
  } catch (err) {
    // The mail was sent, so the user must not read that it failed.
    services.logger.error({ err, kind, lead: id }, 'a mail was sent and could not be noted')
    return { attempt: null, undo: '' }
  }
}

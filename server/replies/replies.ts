import 'server-only'
import { randomUUID } from 'node:crypto'
import { plainEmail } from '@/lib/contacts/contact-key'
import { isMailAddress } from '@/lib/contacts/reply-mail'
import type { Reply } from '@/lib/contract/attempts'
import type { Answer } from '@/lib/contract/endpoints'
import { leadKey } from '@/lib/leads/lead-key'
import { recordMailOutcome, findMailOutcome, sendWithinQuota } from '@/server/access/mail-quota'
import { requirePermission, maySeeSchool, type Replier } from '@/server/access/viewer'
import { MailNotSentError, NotFoundError, NotReadyError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { hashAttemptKey, findSentMail, recordAttempt } from '@/server/leads/attempts'
import { checkFollowUpDay } from '@/server/leads/change-triage'
import { getLeadTable, requireLeadSchool } from '@/server/leads/select-leads'

/** A school that chose Intag where it cannot send has no way of its own. */
export async function getReplyWays({ mailer, work }: Services, viewer: Replier): Promise<Answer<'GET /api/replies'>> {
  const { mailWay } = await work.getSettings()
  const canSend = mailer !== null
  const ways = Object.entries(mailWay).filter(([id, way]) => maySeeSchool(viewer, id) && (canSend || way !== 'intag'))
  return { canSend, ways: Object.fromEntries(ways) }
}

/**
 * Mails the lead's own address alone, once for each key, and notes it with what was decided. The key is stored before the mail
 * is sent and what came of it afterwards, so that the same key again sends nothing and answers the same.
 */
export async function sendReply(
  services: Services,
  viewer: Replier,
  reply: Reply,
): Promise<Answer<'POST /api/replies'>> {
  const { kind, id, subject, body: text, status, snoozeUntil } = reply
  if (services.mailer === null) throw new MailNotSentError('mail-not-set-up')
  const lead = { kind, id }
  if (status !== undefined || snoozeUntil !== undefined) requirePermission(viewer, 'leads:triage')
  checkFollowUpDay(services, snoozeUntil)
  const school = await requireLeadSchool(services, viewer, lead)
  const table = await getLeadTable(services, viewer, kind)
  const row = table.findRow(id)
  // Withdrawn since the school was looked up.
  if (row === -1) throw new NotFoundError()
  const found = table.getLead(row)
  const { email: written } = 'sender' in found ? found.sender : found.user
  const to = written === null ? '' : plainEmail(written)
  if (!isMailAddress(to)) throw new MailNotSentError('no-address')
  const key = hashAttemptKey(viewer.id, lead, reply.key ?? randomUUID())
  const { replyTo } = await services.work.getSettings()
  const mail = { to, subject, text, key, purpose: 'reply', replyTo: replyTo[school], about: leadKey(lead) } as const
  const delivery = await sendWithinQuota(services, viewer, mail)
  if (delivery === null) {
    const outcome = await findMailOutcome(await services.connect(), key, services.now())
    if (outcome === null) throw new NotReadyError('This mail is being sent')
    if (outcome !== 'sent') throw new MailNotSentError(outcome)
    return (await findSentMail(services, viewer, lead, key)) ?? { attempt: null, undo: '' }
  }
  if (delivery.outcome !== 'sent') {
    // Without it the key is answered as of unknown outcome.
    const stored = services.connect().then((db) => recordMailOutcome(db, key, delivery))
    await stored.catch(() => {})
    throw new MailNotSentError(delivery.outcome, delivery.detail)
  }
  const attempt = { ...lead, channel: 'email', outcome: 'sent', status, snoozeUntil, key, isMail: true } as const
  try {
    return await recordAttempt(services, viewer, school, attempt, (tx) => recordMailOutcome(tx, key, delivery))
  } catch (err) {
    // It has been sent, so the user must not be told otherwise.
    services.logger.error({ err, kind, lead: id }, 'a mail was sent and could not be noted')
    return { attempt: null, undo: '' }
  }
}

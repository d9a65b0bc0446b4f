import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { SettleReply } from '@/lib/contract/attempts'
import { command } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import { mails } from '@/server/db/job-schema'
import { attempts } from '@/server/db/schema'
import { ConflictError } from '@/server/errors'
import { schoolOfShownLead } from '@/server/leads/select-leads'
import { type AttemptParts, emptyAttempts, settleMailed } from '@/server/triage/attempts'
import { lockTriage } from '@/server/triage/write-triage'
import { findMail, isUnderWay, markMail } from './mails'

/**
 * Says of a mail that may have been sent whether it was, as the person of the lead has told; logged. It counts for its sender either
 * way. NotFoundError and ForbiddenError as for every lead; ConflictError when it is known by now, or is being sent. One that the mail
 * server is known to have taken ends up as sent, whatever is said of it.
 */
export async function settleReply(
  parts: AttemptParts,
  viewer: Allowed<'leads:reply'>,
  { kind, id, attempt, wasSent }: SettleReply,
): Promise<{ wasSent: boolean }> {
  const school = await schoolOfShownLead(parts, viewer, { kind, id })
  const attemptId = Number(attempt)
  const isSent = await command(parts, viewer, 'leads:reply', async (tx, log) => {
    await lockTriage(tx)
    const isIt = and(eq(attempts.id, attemptId), eq(attempts.kind, kind), eq(attempts.leadId, id))
    const [row] = await tx.select().from(attempts).where(isIt)
    if (row?.outcome !== 'unsure') throw new ConflictError('It is known by now whether this was sent')
    const name = row.sentKey ?? ''
    const mail = await findMail(tx, name)
    if (mail && isUnderWay(mail, parts.now())) throw new ConflictError('This is being sent')
    const lead = { kind, id }
    if (wasSent || mail?.state === 'sent') {
      await settleMailed(tx, attemptId)
      await markMail(tx, name, 'sent')
      const details = { attempt: attemptId, channel: 'email', outcome: 'sent', sender: row.userId }
      await log({ action: 'attempt-logged', lead, details })
      return true
    }
    await emptyAttempts(tx, isIt, new Date(parts.now()))
    // Under another name it counts on, and the same may be sent again.
    await tx
      .update(mails)
      .set({ name: `${name} ${attemptId}` })
      .where(eq(mails.name, name))
    await log({ action: 'attempt-undone', lead, details: { attempt: attemptId, sender: row.userId } })
    return false
  })
  parts.announcer.triage(kind, viewer.id, [school])
  if (isSent && !wasSent) throw new ConflictError('The mail server has taken it: it was sent')
  return { wasSent }
}

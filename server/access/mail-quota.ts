import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { DAY_MS, HOUR_MS } from '@/lib/time/durations'
import type { Db } from '@/server/base/database'
import { MailNotSentError, TooManyTriesError } from '@/server/base/errors'
import { type Delivery, type Mail, MAX_DELIVERY_MS } from '@/server/base/mailer'
import { mails } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import type { Viewer } from './viewer'

/** Keys are kept longer than any browser keeps an unsent reply, so that none is sent twice. */
export const MAIL_KEY_RETENTION_MS = 30 * DAY_MS

/** Limits what a stolen account can send. No user writes 60 replies an hour; 500 links invite a whole staff. */
export const MAX_PER_HOUR = { reply: 60, test: 5, link: 500 }
/** Limits the mails of all users about one lead, and the links to one user, so that no inbox is flooded. */
export const MAX_PER_RECIPIENT = { perHour: 5, perDay: 20 }

/** Sends a mail, or returns null for a used key. Throws over a limit. The caller stores the outcome. */
export async function sendWithinQuota(services: Services, viewer: Viewer, mail: Mail & { about?: string }) {
  const { connect, now, mailer } = services
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  const { key, purpose, about } = mail
  const nowMs = now()
  const sender = `${purpose} ${viewer.id}`
  const aboutCondition = about === undefined ? sql`false` : eq(mails.about, about)
  const recipientLimit = { condition: aboutCondition, reason: 'recipient-busy' } as const
  const limits = [
    { condition: eq(mails.sender, sender), reason: undefined, max: MAX_PER_HOUR[purpose], windowMs: HOUR_MS },
    { ...recipientLimit, max: MAX_PER_RECIPIENT.perHour, windowMs: HOUR_MS },
    { ...recipientLimit, max: MAX_PER_RECIPIENT.perDay, windowMs: DAY_MS },
  ]
  const db = await connect()
  const isNewKey = await db.transaction(async (tx) => {
    // Without the lock, two simultaneous mails would both find room for one more.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.mails'))`)
    const row = { key, writtenAt: new Date(nowMs), state: 'sending', sender, about } as const
    const [inserted] = await tx.insert(mails).values(row).onConflictDoNothing().returning({ key: mails.key })
    if (inserted === undefined) return false
    const maybeSentCondition = and(ne(mails.key, key), inArray(mails.state, ['sending', 'sent', 'unknown']))
    for (const { condition, max, windowMs, reason } of limits) {
      const countedCondition = and(condition, maybeSentCondition, gt(mails.writtenAt, new Date(nowMs - windowMs)))
      const newestMails = tx.select().from(mails).where(countedCondition).orderBy(desc(mails.writtenAt))
      // There is room for one more as soon as the blocking mail leaves the window.
      const [blockingMail] = await newestMails.offset(max - 1).limit(1)
      if (blockingMail === undefined) continue
      const waitMs = blockingMail.writtenAt.getTime() + windowMs - nowMs
      throw new TooManyTriesError(Math.max(1, Math.ceil(waitMs / 1000)), reason)
    }
    return true
  })
  return isNewKey ? mailer.send(mail) : null
}

export async function recordMailOutcome(db: Db, key: string, { outcome }: Pick<Delivery, 'outcome'>) {
  await db.update(mails).set({ state: outcome }).where(eq(mails.key, key))
}

/** Returns null while the mail is being sent, and `unknown` without its key or if the sending process may have died. */
export async function findMailOutcome(db: Db, key: string, nowMs: number): Promise<Delivery['outcome'] | null> {
  const [mail] = await db.select().from(mails).where(eq(mails.key, key))
  if (mail && mail.state !== 'sending') return mail.state
  return nowMs - (mail?.writtenAt.getTime() ?? 0) > 2 * MAX_DELIVERY_MS ? 'unknown' : null
}

import 'server-only'
import { and, desc, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/server/base/database'
import { MailNotSentError, TooManyTriesError } from '@/server/base/errors'
import { type Delivery, MAX_DELIVERY_MS, type Mail } from '@/server/base/mailer'
import { mails } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import type { Viewer } from './viewer'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Keys are kept for longer than any browser keeps a draft. */
export const MAIL_KEY_RETENTION_MS = 30 * DAY_MS

/** Replies: more than anyone writes, and too few for a stolen account to send spam. Links: those of a whole staff. */
export const MAX_PER_HOUR = { reply: 60, test: 5, link: 500 }
/** About one lead from all users, and links to one user, so that nobody's inbox is flooded. */
export const MAX_PER_RECIPIENT = { perHour: 5, perDay: 20 }

/**
 * Sends a mail once: its key is written before it is sent, and the caller stores what came of it (`finishMail`). Null
 * where a mail of this key was begun before. Mails about the same lead or user (`about`) are counted together.
 * TooManyTriesError above a limit.
 */
export async function sendWithinQuota({ connect, now, mailer }: Services, viewer: Viewer, mail: Mail & { about?: string }) {
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  const { key, purpose, about } = mail
  const [at, sender] = [now(), `${purpose} ${viewer.id}`]
  const limits: { which: SQL; limit: number; withinMs: number; reason?: 'recipient-busy' }[] = [
    { which: eq(mails.sender, sender), limit: MAX_PER_HOUR[purpose], withinMs: HOUR_MS },
  ]
  if (about !== undefined) {
    const one = { which: eq(mails.about, about), reason: 'recipient-busy' } as const
    limits.push({ ...one, limit: MAX_PER_RECIPIENT.perHour, withinMs: HOUR_MS })
    limits.push({ ...one, limit: MAX_PER_RECIPIENT.perDay, withinMs: DAY_MS })
  }
  const db = await connect()
  const isFirst = await db.transaction(async (tx) => {
    // Two at once would both find room for one more.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.mails'))`)
    const row = { key, at: new Date(at), state: 'sending', sender, about: about ?? null } as const
    const [begun] = await tx.insert(mails).values(row).onConflictDoNothing().returning({ key: mails.key })
    if (begun === undefined) return false
    for (const { which, limit, withinMs, reason } of limits) {
      // What surely was not sent does not count.
      const counts = and(ne(mails.key, key), inArray(mails.state, ['sending', 'sent', 'unknown']))
      const counted = and(which, counts, gt(mails.writtenAt, new Date(at - withinMs)))
      const last = await tx.select().from(mails).where(counted).orderBy(desc(mails.writtenAt)).limit(limit)
      const waitMs = (last[limit - 1]?.writtenAt.getTime() ?? -Infinity) + withinMs - at
      if (last.length === limit) throw new TooManyTriesError(Math.max(1, Math.ceil(waitMs / 1000)), reason)
    }
    return true
  })
  return isFirst ? mailer.send(mail) : null
}

/** Stores what came of a mail, which its key is answered with from then on. */
export async function recordMailOutcome(db: Db, key: string, { outcome }: Pick<Delivery, 'outcome'>): Promise<void> {
  await db.update(mails).set({ state: outcome }).where(eq(mails.key, key))
}

/** Null while it is being sent. A process that died meanwhile leaves its outcome unknown. */
export async function findMailOutcome(db: Db, key: string, now: number): Promise<Delivery['outcome'] | null> {
  const [mail] = await db.select().from(mails).where(eq(mails.key, key))
  if (mail && mail.state !== 'sending') return mail.state
  return now - (mail?.writtenAt.getTime() ?? 0) > 2 * MAX_DELIVERY_MS ? 'unknown' : null
}

import 'server-only'
import { and, desc, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { createInFlightLimit } from '@/server/base/concurrency-limit'
import type { Connect, Db } from '@/server/base/database'
import { MailNotSentError, TooManyTriesError } from '@/server/base/errors'
import { type Delivery, LONGEST_MAIL_MS, type Mail, type Mailer } from '@/server/base/mailer'
import { mails } from '@/server/base/schema'
import type { Viewer } from './viewer'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Keys are kept for longer than any browser keeps a draft. */
export const MAIL_KEYS_KEPT_MS = 30 * DAY_MS

/** Replies: more than anyone writes, and too few for a stolen account to send spam. Links: those of a whole staff. */
export const MAX_PER_HOUR = { reply: 60, test: 5, link: 500 }
/** About one lead from all users, and links to one user, so that nobody's inbox is flooded. */
export const MAX_ABOUT_ONE = { anHour: 5, aDay: 20 }

/** Each holds a connection to the mail server while it sends. */
export const createMailPlaces = () => createInFlightLimit({ max: 40, maxPerKey: 3, retryAfterSeconds: 5 })

/** `mailer` is null without a mail server. */
export type QuotaParts = {
  connect: Connect
  now: () => number
  mailer: Pick<Mailer, 'send'> | null
  mailPlaces: ReturnType<typeof createMailPlaces>
}

/** `about`: the lead or user whose mails are counted together. */
export type CountedMail = Mail & { about?: string }

/**
 * Sends a mail once: its key is written before it is sent, and the caller stores what came of it (`finishMail`). Null
 * where a mail of this key was begun before. TooManyTriesError above a limit.
 */
export async function sendCounted(
  { connect, now, mailer, mailPlaces }: QuotaParts,
  viewer: Viewer,
  mail: CountedMail,
): Promise<Delivery | null> {
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  const leave = mailPlaces(viewer.id)
  try {
    const db = await connect()
    const isFirst = await db.transaction((tx) => beginMail(tx, now(), viewer, mail))
    return isFirst ? await mailer.send(mail) : null
  } finally {
    leave()
  }
}

async function beginMail(tx: Db, now: number, viewer: Viewer, { key, purpose, about }: CountedMail): Promise<boolean> {
  // Two at once would both find room for one more.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.mails'))`)
  const sender = `${purpose} ${viewer.id}`
  const row = { key, at: new Date(now), state: 'sending', sender, about: about ?? null } as const
  const [begun] = await tx.insert(mails).values(row).onConflictDoNothing().returning({ key: mails.key })
  if (begun === undefined) return false
  // What surely was not sent does not count.
  const counts = and(ne(mails.key, key), inArray(mails.state, ['sending', 'sent', 'unknown']))
  const ofSender = and(counts, eq(mails.sender, sender))
  await requireBelow(tx, now, { which: ofSender, limit: MAX_PER_HOUR[purpose], withinMs: HOUR_MS })
  if (about === undefined) return true
  const which = and(counts, eq(mails.about, about))
  await requireBelow(tx, now, { which, limit: MAX_ABOUT_ONE.anHour, withinMs: HOUR_MS, reason: 'recipient-busy' })
  await requireBelow(tx, now, { which, limit: MAX_ABOUT_ONE.aDay, withinMs: DAY_MS, reason: 'recipient-busy' })
  return true
}

type Limit = { which: SQL | undefined; limit: number; withinMs: number; reason?: 'recipient-busy' }

async function requireBelow(tx: Db, now: number, { which, limit, withinMs, reason }: Limit): Promise<void> {
  const isWithin = gt(mails.at, new Date(now - withinMs))
  const counted = tx.select({ at: mails.at }).from(mails).where(and(which, isWithin))
  const last = await counted.orderBy(desc(mails.at)).limit(limit)
  const oldest = last[limit - 1]
  if (!oldest) return
  throw new TooManyTriesError(Math.max(1, Math.ceil((oldest.at.getTime() + withinMs - now) / 1000)), reason)
}

/** Stores what came of a mail, which its key is answered with from then on. */
export async function finishMail(db: Db, key: string, { outcome }: Pick<Delivery, 'outcome'>): Promise<void> {
  await db.update(mails).set({ state: outcome }).where(eq(mails.key, key))
}

const NO_MAIL = { state: 'sending' as const, at: new Date(0) }

/** Null while it is being sent. A process that died meanwhile leaves its outcome unknown. */
export async function outcomeOfMail(db: Db, key: string, now: number): Promise<Delivery['outcome'] | null> {
  const [{ state, at } = NO_MAIL] = await db.select().from(mails).where(eq(mails.key, key))
  if (state !== 'sending') return state
  return now - at.getTime() > 2 * LONGEST_MAIL_MS ? 'unknown' : null
}

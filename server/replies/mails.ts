import 'server-only'
import { createHash, createHmac } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { and, desc, eq, gt, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import { comparableEmail } from '@/lib/contacts/contact-key'
import type { ContactIds } from '@/server/leads/contact-id'
import type { Db } from '@/server/base/database'
import { attempts, mails } from '@/server/base/schema'
import { TooManyTriesError } from '@/server/base/errors'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Names are kept for longer than any browser keeps a draft. */
export const MAIL_NAMES_KEPT_MS = 30 * DAY_MS
/** Longer than any mail takes: the process has died meanwhile. */
export const ABANDONED_MS = 120_000

type MailRow = typeof mails.$inferSelect

/** False if another process has begun it. Deleted only when surely nothing was sent: rather no mail than two. */
async function claimMail(db: Db, now: number, mail: Pick<MailRow, 'name'> & Partial<MailRow>): Promise<boolean> {
  const row = { at: new Date(now), state: 'sending' as const, ...mail }
  return (await db.insert(mails).values(row).onConflictDoNothing().returning({ name: mails.name })).length > 0
}

export async function releaseMail(db: Db, name: string): Promise<void> {
  await db.delete(mails).where(eq(mails.name, name))
}

export async function markMail(db: Db, name: string, state: 'unsure' | 'sent'): Promise<void> {
  await db.update(mails).set({ state }).where(eq(mails.name, name))
}

export async function findMail(db: Db, name: string): Promise<MailRow | null> {
  const [row] = await db.select().from(mails).where(eq(mails.name, name))
  return row ?? null
}

export function isUnderWay({ state, at }: MailRow, now: number): boolean {
  return state === 'sending' && now - at.getTime() <= ABANDONED_MS
}

/** More than anyone writes, and too few for a stolen account to send spam. */
export const MAX_REPLIES_PER_HOUR = 60
/** From all senders whose leads the sender may see, so that no school floods an inbox, and none learns of another's mails. */
export const MAX_TO_ONE_ADDRESS = { anHour: 5, aDay: 20 }
export const MAX_TESTS_PER_HOUR = 5
/** To set a password. */
export const MAX_LINKS_PER_HOUR = 500
const MAX_PER_HOUR = { reply: MAX_REPLIES_PER_HOUR, test: MAX_TESTS_PER_HOUR, link: MAX_LINKS_PER_HOUR }

type Counted = { name: string; for: keyof typeof MAX_PER_HOUR; userId: string; recipient?: string; digest?: string }
type CanSee = (lead: LeadRef) => boolean

/** One after the other. TooManyTriesError above a limit. Without `isShown` all mails to the recipient count. */
export async function beginMail(tx: Db, now: number, mail: Counted, isShown?: CanSee): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.mails'))`)
  const { name, recipient = null, digest = null } = mail
  const sender = `${mail.for} ${mail.userId}`
  if (!(await claimMail(tx, now, { name, sender, recipient, digest }))) return false
  const isSenders = and(eq(mails.sender, sender), ne(mails.name, name))
  await requireBelow(tx, now, { which: isSenders, limit: MAX_PER_HOUR[mail.for], withinMs: HOUR_MS })
  if (recipient === null) return true
  const which = await mailsToRecipient(tx, now, { ...mail, recipient, sender }, isShown)
  const reason = isShown && 'recipient-busy'
  await requireBelow(tx, now, { which, limit: MAX_TO_ONE_ADDRESS.anHour, withinMs: HOUR_MS, reason })
  await requireBelow(tx, now, { which, limit: MAX_TO_ONE_ADDRESS.aDay, withinMs: DAY_MS, reason })
  return true
}

type Limit = { which: SQL | undefined; limit: number; withinMs: number; reason?: 'recipient-busy' | undefined }

async function requireBelow(tx: Db, now: number, { which, limit, withinMs, reason }: Limit): Promise<void> {
  const isWithin = gt(mails.at, new Date(now - withinMs))
  const counted = tx.select({ at: mails.at }).from(mails).where(and(which, isWithin))
  const last = await counted.orderBy(desc(mails.at)).limit(limit)
  const oldest = last[limit - 1]
  if (!oldest) return
  throw new TooManyTriesError(Math.max(1, Math.ceil((oldest.at.getTime() + withinMs - now) / 1000)), reason)
}

/** Others' mails count only where the sender may see the lead: a refusal would disclose an unseen one. */
async function mailsToRecipient(
  tx: Db,
  now: number,
  { name, recipient, sender }: { name: string; recipient: string; sender: string },
  isShown?: CanSee,
): Promise<SQL | undefined> {
  const isTheirs = and(eq(mails.recipient, recipient), ne(mails.name, name), gt(mails.at, new Date(now - DAY_MS)))
  const sent = await tx
    .select({ name: mails.name, sender: mails.sender, kind: attempts.kind, id: attempts.leadId })
    .from(mails)
    .leftJoin(attempts, eq(attempts.sentKey, mails.name))
    .where(isTheirs)
  const counted = sent.filter(({ kind, id, ...one }) => {
    if (isShown === undefined || one.sender === sender) return true
    return kind !== null && id !== null && isShown({ kind, id })
  })
  return inArray(
    mails.name,
    counted.map((one) => one.name),
  )
}

/** For counting: equal for every spelling of an address, and not testable without our key. */
export function recipientOf({ contactIds }: { contactIds: ContactIds }, email: string): string {
  const plain = comparableEmail(email) ?? ''
  const at = plain.lastIndexOf('@')
  const local = plain.slice(0, at)
  const written = plain.slice(at + 1)
  const domain = domainToASCII(written) || written
  // The part after a plus reaches the same inbox (RFC 5233); a final dot only marks a full name (RFC 1034, 3.1).
  const address = `${local.replace(/(?<=.)\+.*$/su, '')}@${domain.endsWith('.') ? domain.slice(0, -1) : domain}`
  return createHash('sha256').update(contactIds.ofEmail(address)).digest('base64url')
}

/** The key is the browser's and not stored, so that guesses of a text cannot be tested. */
export function digestOf({ subject, body }: { subject: string; body: string }, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([subject, body]))
    .digest('base64url')
}

/** Within a transaction: recipients are forgotten once they no longer count. */
export async function clearRecipients(tx: Db, now: number): Promise<void> {
  const isPast = lt(mails.at, new Date(now - DAY_MS))
  await tx.update(mails).set({ recipient: null }).where(isPast)
}

import 'server-only'
import { eq } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { mails } from '@/server/db/mail-schema'
import { MailNotSentError } from '@/server/errors'

export type SendOnce = ReturnType<typeof createSendOnce>

type Options = {
  connect: Connect
  now: () => number
  /** Waits for so many milliseconds. */
  wait: (ms: number) => Promise<unknown>
}

type Once<T> = {
  /** Tells its text from another. */
  digest: string
  /** What it came to when this mail was sent before; null when it never was. */
  found: (db: Db) => Promise<T | null>
  /** Writes its row, and whatever else is to stand before anything goes out; false when another has begun it. */
  begin: () => Promise<boolean>
  /** Sends it and keeps that it was sent. `MailNotSentError` says whether it may try again. */
  send: () => Promise<T>
  /** Surely nothing was sent: takes away what `begin` has written. */
  withdraw: () => Promise<void>
}

/** Longer than any mail takes: whoever has begun one and not ended it by then has died in the middle. */
export const ABANDONED_MS = 120_000
/** Names of mails are kept for longer than any browser holds a draft. */
export const MAIL_NAMES_KEPT_MS = 30 * 24 * 3_600_000
const LOOK_EVERY_MS = 250

/** The rows that say which mails were begun. */
function mailRows({ connect, now }: Pick<Options, 'connect' | 'now'>) {
  const set = async (name: string, state: 'unsure' | 'sent') => {
    const db = await connect()
    await db.update(mails).set({ state }).where(eq(mails.name, name))
  }
  return {
    set,
    /** False when another has begun it. */
    begin: async (name: string): Promise<boolean> => {
      const db = await connect()
      const row = { name, at: new Date(now()), state: 'sending' as const }
      return (await db.insert(mails).values(row).onConflictDoNothing().returning({ name: mails.name })).length > 0
    },
    release: async (name: string): Promise<void> => {
      const db = await connect()
      await db.delete(mails).where(eq(mails.name, name))
    },
    of: async (name: string) => {
      const db = await connect()
      const [row] = await db.select().from(mails).where(eq(mails.name, name))
      return row ?? null
    },
  }
}

/** Whether somebody sends it at this moment, as far as one can know. */
export function isUnderWay({ state, at }: Pick<typeof mails.$inferSelect, 'state' | 'at'>, now: number): boolean {
  return state === 'sending' && now - at.getTime() <= ABANDONED_MS
}

/**
 * Sends a mail of one name once: for two clicks on the same process, for two instances, and when one of them died in the middle.
 * A row is written before anything goes out. It goes when surely nothing was sent, so that the same name may be tried again;
 * it stays when something may have been, and the next one is told that nobody knows. Better none than two in silence.
 */
export function createSendOnce(options: Options) {
  const { connect, now, wait } = options
  const rows = mailRows(options)
  const underWay = new Map<string, { digest: string; made: Promise<unknown> }>()
  const attempt = async <T>(name: string, { send, withdraw }: Once<T>): Promise<T> => {
    try {
      const sent = await send()
      await rows.set(name, 'sent').catch(() => {})
      return sent
    } catch (error) {
      const mayBeSent = error instanceof MailNotSentError && error.reason === 'unsure'
      // If this fails, too, the row stays as it is, and means the same after a while.
      await (mayBeSent ? rows.set(name, 'unsure') : withdraw()).catch(() => {})
      throw error
    }
  }
  const once = async <T>(name: string, how: Once<T>): Promise<T> => {
    const db = await connect()
    for (;;) {
      const row = await rows.of(name)
      if (row !== null) requireSame(row.digest ?? how.digest, how.digest)
      const before = await how.found(db)
      if (before !== null) return before
      if (row === null && (await how.begin())) return attempt(name, how)
      if (row !== null && !isUnderWay(row, now())) throw new MailNotSentError('unsure')
      await wait(LOOK_EVERY_MS)
    }
  }
  return {
    /** The same promise for all who ask on this process while it is under way. */
    once: async <T>(name: string, how: Once<T>): Promise<T> => {
      const known = underWay.get(name)
      if (known) {
        requireSame(known.digest, how.digest)
        return known.made as Promise<T>
      }
      const made = once(name, how).finally(() => underWay.delete(name))
      underWay.set(name, { digest: how.digest, made })
      return made
    },
    /** Says of a mail that it is this process that sends it; false when another has, or is at it. */
    claim: rows.begin,
    /** Surely nothing was sent. */
    release: rows.release,
  }
}

/** One name is one mail; another text under it would never be sent, and nobody would know. */
function requireSame(digest: string, other: string): void {
  if (digest !== other) throw new MailNotSentError('other-text')
}

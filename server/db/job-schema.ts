import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, json, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { moment, type TriageFields, users } from './schema'

/** Where a job has come to: the moment of its entries in the log (ms), the newest revision before it, its first and last entry. */
export type JobCursor = { at: number; revision?: number; first?: number; last?: number }

/** What a change of many sets, and on which leads; `seen` are those of them that somebody saw as of a moment (ms; null: untouched). */
export type ChangePayload = {
  fields: TriageFields
  ids: Partial<Record<LeadKind, string[]>>
  seen: (LeadRef & { updatedAt: number | null })[]
}

/**
 * Work that outlives its request: changes of many leads, and undoings. Under way, so that another process can go on with them, and
 * for a day after; in ids and decisions only.
 */
export const jobs = pgTable(
  'jobs',
  {
    /** In this order they have their turns. */
    number: bigint('number', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<'change' | 'undo'>().notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    state: text('state').$type<'running' | 'finished' | 'stopped'>().notNull(),
    /** What is to be done, until it has ended; null where the cursor says it. */
    payload: json('payload').$type<ChangePayload>(),
    /** How much of it is done, of how much, and what stayed as somebody else has left it. */
    done: integer('done').notNull().default(0),
    total: integer('total').notNull(),
    conflicts: integer('conflicts').notNull().default(0),
    cursor: jsonb('cursor').$type<JobCursor>(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Whoever works on it, and the last sign of life, by the clock of the database. */
    owner: text('owner').notNull(),
    heartbeat: moment('heartbeat').notNull(),
  },
  (table) => [
    index('jobs_open')
      .on(table.number)
      .where(sql`${table.state} = 'running'`),
    check('jobs_state', sql`${table.state} in ('running', 'finished', 'stopped')`),
  ],
)

/** What `jobs` was in the release before, which may still write it while instances are replaced. It goes in the next. */
export const batches = pgTable(
  'batches',
  {
    number: bigint('number', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    state: text('state').$type<'changing' | 'undoing' | 'finished' | 'taken-back' | 'stopped'>().notNull(),
    fields: jsonb('fields').$type<TriageFields>(),
    leads: text('leads'),
    done: integer('done').notNull().default(0),
    at: moment('at'),
    revision: bigint('revision', { mode: 'number' }),
    firstLog: bigint('first_log', { mode: 'number' }),
    lastLog: bigint('last_log', { mode: 'number' }),
    undoneLog: bigint('undone_log', { mode: 'number' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    owner: text('owner').notNull(),
    heartbeat: moment('heartbeat').notNull(),
  },
  (table) => [
    index('batches_open')
      .on(table.number)
      .where(sql`${table.state} in ('changing', 'undoing')`),
    check('batches_state', sql`${table.state} in ('changing', 'undoing', 'finished', 'taken-back', 'stopped')`),
  ],
)

/**
 * That a mail of this name was begun, written before anything is sent: whoever comes second, or after a process that died in the
 * middle, does not send it again. The name is a hash, or a day and a person's id; nothing of the mail can be read from its row, nor whom it was to.
 */
export const mails = pgTable(
  'mails',
  {
    name: text('name').primaryKey(),
    at: moment('at').notNull(),
    state: text('state').$type<'sending' | 'unsure' | 'sent'>().notNull(),
    /** For what, and whose, it counts: `reply` or `test` and the person's id. */
    sender: text('sender'),
    /** A hash of the recipient's address that only we can make, for as long as it counts. */
    recipient: text('recipient'),
    /** A hash of subject and text. */
    digest: text('digest'),
  },
  (table) => [
    index('mails_at').on(table.at),
    check('mails_state', sql`${table.state} in ('sending', 'unsure', 'sent')`),
  ],
)

import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, json, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { moment, type TriageFields, userRef } from './schema'

/** How far a job is: the moment of its log entries (ms), the newest revision before it, its first and last entry. */
export type JobCursor = { at: number; revision?: number; first?: number; last?: number }

/** A change of many leads; `seen`: leads with the state that the user saw (ms; null: untouched). */
export type ChangePayload = {
  fields: TriageFields
  ids: Partial<Record<LeadKind, string[]>>
  seen: (LeadRef & { updatedAt?: number | null })[]
}

/** Work that outlives its request, in ids only; kept for a day after it ended. Another process can continue it. */
export const jobs = pgTable(
  'jobs',
  {
    number: bigint('number', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<'change' | 'undo'>().notNull(),
    userId: userRef('user_id'),
    state: text('state').$type<'running' | 'finished' | 'stopped'>().notNull(),
    payload: json('payload').$type<ChangePayload>(),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull(),
    conflicts: integer('conflicts').notNull().default(0),
    cursor: jsonb('cursor').$type<JobCursor>(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** The process that works on it, and its last sign of life by the database's clock. */
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

/** `jobs` of the release before, which may still write it during an update. It goes in the next. */
export const batches = pgTable(
  'batches',
  {
    number: bigint('number', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: userRef('user_id'),
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
 * A mail that was begun, written before it is sent, so that nobody sends it twice. The name is a hash; the row
 * reveals neither text nor recipient.
 */
export const mails = pgTable(
  'mails',
  {
    name: text('name').primaryKey(),
    at: moment('at').notNull(),
    state: text('state').$type<'sending' | 'unsure' | 'sent'>().notNull(),
    sender: text('sender'),
    /** A keyed hash of the recipient's address. */
    recipient: text('recipient'),
    digest: text('digest'),
  },
  (table) => [
    index('mails_at').on(table.at),
    check('mails_state', sql`${table.state} in ('sending', 'unsure', 'sent')`),
  ],
)

import 'server-only'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import type { AttemptChannel, AttemptOutcome, LeadKind, LeadList, LeadStatus } from '@/lib/contract/lead'
import type { Role, SchoolScope } from '@/lib/contract/user'

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
/** Milliseconds since the epoch, where the database itself never calculates with time. */
const milliseconds = (name: string) => bigint(name, { mode: 'number' })

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    /** Always lower case, so that it is unique whatever the spelling. */
    email: text('email').notNull().unique(),
    name: text('name').notNull(),
    role: text('role').$type<Role>().notNull(),
    schools: jsonb('schools').$type<SchoolScope>().notNull(),
    passwordHash: text('password_hash'),
    disabled: boolean('disabled').notNull().default(false),
    /** Made by demo mode; does not exist for connected mode. */
    demo: boolean('demo').notNull().default(false),
    /** Role and schools come from the provider of single sign-on, at each sign-in. */
    managed: boolean('managed').notNull().default(false),
    /** May sign in by password although that is switched off. */
    breakGlass: boolean('break_glass').notNull().default(false),
    /** When a password was first set, or single sign-on first used. */
    activatedAt: moment('activated_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    check('users_email_lower', sql`${table.email} = lower(${table.email})`),
    check('users_role', sql`${table.role} in ('staff', 'manager', 'admin')`),
  ],
)

export const invitations = pgTable('invitations', {
  tokenHash: text('token_hash').primaryKey(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** A first password, or a new one. */
  purpose: text('purpose').$type<'invitation' | 'reset'>().notNull().default('invitation'),
  expiresAt: moment('expires_at').notNull(),
  usedAt: moment('used_at'),
})

/** Failed sign-ins per account and per address; the key is a hash, so that nobody's e-mail or address is kept. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    key: text('key').primaryKey(),
    failures: integer('failures').notNull(),
    lastAt: milliseconds('last_at').notNull(),
    lockedUntil: milliseconds('locked_until').notNull(),
  },
  (table) => [index('sign_in_attempts_last_at').on(table.lastAt)],
)

/** Shared by all instances, each of which reads what is newer than the last revision it has seen. */
export const triageRevision = pgSequence('triage_revision')

export const triage = pgTable(
  'triage',
  {
    kind: text('kind').$type<LeadKind>().notNull(),
    leadId: text('lead_id').notNull(),
    status: text('status').$type<LeadStatus>().notNull(),
    assigneeId: text('assignee_id').references(() => users.id),
    updatedAt: moment('updated_at').notNull(),
    updatedBy: text('updated_by').references(() => users.id),
    /** When the status became what it is, written by a trigger whoever writes the row. */
    statusAt: moment('status_at'),
    /** Put aside until this Stockholm day, `yyyy-MM-dd`. */
    snoozeUntil: text('snooze_until'),
    revision: bigint('revision', { mode: 'number' })
      .notNull()
      .default(sql`nextval('triage_revision')`),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.leadId] }),
    index('triage_revision_order').on(table.revision),
    check('triage_status', sql`${table.status} in ('new', 'in-progress', 'handled', 'dismissed')`),
  ],
)

/** Rows of triage that are gone, written by a trigger whoever deletes them: a number of the same sequence tells every instance. */
export const triageDeletions = pgTable(
  'triage_deletions',
  {
    revision: bigint('revision', { mode: 'number' }).primaryKey(),
    kind: text('kind').$type<LeadKind>().notNull(),
    leadId: text('lead_id').notNull(),
    deletedAt: moment('deleted_at').notNull(),
  },
  (table) => [index('triage_deletions_deleted_at').on(table.deletedAt)],
)

/**
 * That somebody tried to reach a person: when, how and what came of it, nothing else. A row without an outcome was taken back or
 * has become too old; it stays until every instance has read so, by a number of the same sequence as triage.
 */
export const attempts = pgTable(
  'attempts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<LeadKind>().notNull(),
    leadId: text('lead_id').notNull(),
    userId: text('user_id').references(() => users.id),
    at: moment('at').notNull(),
    channel: text('channel').$type<AttemptChannel>(),
    outcome: text('outcome').$type<AttemptOutcome>(),
    /** The browser's own name for what Intag has sent, hashed: the same is not sent twice. */
    sentKey: text('sent_key').unique(),
    revision: bigint('revision', { mode: 'number' })
      .notNull()
      .default(sql`nextval('triage_revision')`),
  },
  (table) => [
    index('attempts_revision').on(table.revision),
    index('attempts_lead').on(table.kind, table.leadId),
    index('attempts_at').on(table.at),
    check('attempts_outcome', sql`${table.outcome} in ('sent', 'talked', 'no-answer', 'call-again', 'unsure')`),
  ],
)

/** Whom a note names, so that it reaches their day; seen when they have opened the lead since. */
export const mentions = pgTable(
  'mentions',
  {
    noteId: text('note_id')
      .notNull()
      .references(() => notes.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<LeadKind>().notNull(),
    leadId: text('lead_id').notNull(),
    at: moment('at').notNull(),
    seenAt: moment('seen_at'),
  },
  (table) => [
    primaryKey({ columns: [table.noteId, table.userId] }),
    index('mentions_user').on(table.userId, table.seenAt),
  ],
)

/** What is to be set on all leads of a batch; what is absent stays as it is. */
export type TriageFields = { status?: LeadStatus; assigneeId?: string | null; snoozeUntil?: string | null }

export const listVisits = pgTable(
  'list_visits',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: text('list').$type<LeadList>().notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    previousSeenAt: moment('previous_seen_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.list] })],
)

/** Who did what, in ids and counts only. */
export const activity = pgTable(
  'activity',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull(),
    userId: text('user_id'),
    action: text('action').notNull(),
    leadKind: text('lead_kind').$type<LeadKind>(),
    leadId: text('lead_id'),
    details: jsonb('details').$type<ActivityDetails>(),
    /** Where the request came from; the network alone after 90 days. */
    address: text('address'),
    /** The stretch of the log that it is sealed in; null for the last seconds. */
    sealId: bigint('seal_id', { mode: 'number' }),
  },
  (table) => [
    index('activity_seal').on(table.sealId),
    index('activity_at').on(table.at),
    index('activity_user').on(table.userId, table.at),
    index('activity_lead').on(table.leadKind, table.leadId, table.at),
  ],
)
export type ActivityDetails = Record<string, string | number | boolean | string[] | null>

/** What the staff write about a lead; enciphered, for it may name people. */
export const notes = pgTable(
  'notes',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<LeadKind>().notNull(),
    leadId: text('lead_id').notNull(),
    authorId: text('author_id').references(() => users.id),
    sealedText: text('sealed_text').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('notes_lead').on(table.kind, table.leadId, table.createdAt),
    index('notes_created_at').on(table.createdAt),
  ],
)

/** Filters under a name. Both may hold a search for somebody, so they are enciphered as one JSON text. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: text('list').$type<LeadList>().notNull(),
    sealedView: text('sealed_view').notNull(),
    /** The schools its owner saw when it was saved: whoever sees fewer does not see it. Null before that was kept. */
    reach: jsonb('reach').$type<SchoolScope>(),
    shared: boolean('shared').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('saved_views_owner').on(table.ownerId)],
)

export const replyTemplates = pgTable('reply_templates', {
  id: text('id').primaryKey(),
  language: text('language').$type<'sv' | 'en'>().notNull(),
  name: text('name').notNull(),
  subject: text('subject').notNull(),
  body: text('body').notNull(),
  updatedAt: moment('updated_at').notNull(),
})

/** What a person chose once and finds again everywhere, by name of the choice. Never anything about a pupil. */
export const preferences = pgTable(
  'preferences',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    value: jsonb('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
)

/** What administrators set for everyone, by name. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: moment('updated_at').notNull(),
})

/** Since when a lead that we keep something about has been missing from the service. */
export const leadAbsences = pgTable(
  'lead_absences',
  {
    kind: text('kind').$type<LeadKind>().notNull(),
    leadId: text('lead_id').notNull(),
    missingSince: moment('missing_since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.leadId] })],
)

/** Files that left: logged before their first byte, and how it ended after the last. */
export const exports = pgTable(
  'exports',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').references(() => users.id),
    at: moment('at').notNull(),
    list: text('list').$type<LeadList>().notNull(),
    format: text('format').notNull(),
    columns: jsonb('columns').$type<string[]>().notNull(),
    /** How many leads were to leave, and how many had when it ended. */
    count: integer('count').notNull(),
    written: integer('written'),
    state: text('state').$type<'started' | 'finished' | 'broken'>().notNull(),
    endedAt: moment('ended_at'),
    /** Enciphered JSON: purpose in the person's own words, and the filter, which may be a search for somebody. */
    sealedReason: text('sealed_reason').notNull(),
    /** Names the view or filter for "new since my last export": a keyed hash of it. */
    scope: text('scope').notNull(),
    leadIds: text('lead_ids').array().notNull(),
  },
  (table) => [
    index('exports_user').on(table.userId, table.scope, table.at),
    index('exports_at').on(table.at),
    check('exports_state', sql`${table.state} in ('started', 'finished', 'broken')`),
  ],
)

/** Requests sent to the service in the last hour, so that a restart cannot exceed its limit. */
export const upstreamRequests = pgTable(
  'upstream_requests',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    sentAt: milliseconds('sent_at').notNull(),
    finishedAt: milliseconds('finished_at'),
    purpose: text('purpose').notNull(),
  },
  (table) => [index('upstream_requests_sent_at').on(table.sentAt)],
)

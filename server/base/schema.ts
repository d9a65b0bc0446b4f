import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, json, jsonb, text, timestamp } from 'drizzle-orm/pg-core'
import { check, index, pgSequence, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core'
import type { MailOutcome } from '@/lib/contract/feed-status'
import type { AttemptChannel, AttemptOutcome, LeadKind, LeadList, LeadStatus } from '@/lib/contract/lead'
import type { Role, SchoolScope } from '@/lib/contract/user'

export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const millisecondsColumn = (name: string) => bigint(name, { mode: 'number' })

export const userIdColumn = (name: string) =>
  text(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

const leadColumns = () => ({ kind: text('kind').$type<LeadKind>().notNull(), leadId: text('lead_id').notNull() })
const revisionColumn = () =>
  bigint('revision', { mode: 'number' })
    .notNull()
    .default(sql`nextval('triage_revision')`)

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    /** The address in lower case. */
    email: text('email').notNull().unique(),
    name: text('name').notNull(),
    role: text('role').$type<Role>().notNull(),
    schools: jsonb('schools').$type<SchoolScope>().notNull(),
    passwordHash: text('password_hash'),
    disabled: boolean('disabled').notNull().default(false),
    demo: boolean('demo').notNull().default(false),
    managed: boolean('managed').notNull().default(false),
    /** The user may sign in by password although PASSWORD_SIGN_IN is off. */
    breakGlass: boolean('break_glass').notNull().default(false),
    activatedAt: timestampColumn('activated_at'),
    createdAt: timestampColumn('created_at').notNull(),
    /** The hash of the open link for setting a password. Only the hash is stored, so a copy of the database opens no account. */
    linkHash: text('link_hash').unique(),
    linkExpiresAt: timestampColumn('link_expires_at'),
    /** The account at the single sign-on provider, linked once by e-mail. `oid` is Entra ID's, and outlives `sub`. */
    issuer: text('issuer'),
    subject: text('subject'),
    oid: text('oid'),
    /** Hashes of the unused codes for the day the telephone is lost. */
    recoveryCodes: text('recovery_codes').array().notNull().default([]),
  },
  (table) => [
    unique('users_subject').on(table.issuer, table.subject),
    unique('users_oid').on(table.issuer, table.oid),
    check('users_email_lower', sql`${table.email} = lower(${table.email})`),
    check('users_role', sql`${table.role} in ('staff', 'manager', 'admin')`),
  ],
)

/** Failed sign-ins. `key` is a keyed hash, of account and network for instance. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    key: text('key').primaryKey(),
    failures: integer('failures').notNull(),
    lastAt: millisecondsColumn('last_at').notNull(),
    lockedUntil: millisecondsColumn('locked_until').notNull(),
    succeededAt: millisecondsColumn('succeeded_at'),
  },
  (table) => [index('sign_in_attempts_last_at').on(table.lastAt)],
)

/** The sequence is shared by all instances: each reads what is newer than the last revision it knows. */
export const triageRevision = pgSequence('triage_revision')

export const triage = pgTable(
  'triage',
  {
    ...leadColumns(),
    status: text('status').$type<LeadStatus>().notNull(),
    assigneeId: text('assignee_id').references(() => users.id),
    updatedAt: timestampColumn('updated_at').notNull(),
    updatedBy: text('updated_by').references(() => users.id),
    /** When the status last changed. A trigger sets it. */
    statusAt: timestampColumn('status_at'),
    /** The lead is put aside until this Stockholm day, `yyyy-MM-dd`. */
    snoozeUntil: text('snooze_until'),
    revision: revisionColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.leadId] }),
    index('triage_revision_order').on(table.revision),
    check('triage_status', sql`${table.status} in ('new', 'in-progress', 'handled', 'dismissed')`),
  ],
)

/** Deleted rows of triage, written by a trigger, with a revision for the other instances. */
export const triageDeletions = pgTable(
  'triage_deletions',
  {
    revision: bigint('revision', { mode: 'number' }).primaryKey(),
    ...leadColumns(),
    deletedAt: timestampColumn('deleted_at').notNull(),
  },
  (table) => [index('triage_deletions_deleted_at').on(table.deletedAt)],
)

/** Attempts to reach a person. A row without an outcome was undone or erased; it stays until every instance has read that. */
export const attempts = pgTable(
  'attempts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ...leadColumns(),
    userId: text('user_id').references(() => users.id),
    at: timestampColumn('at').notNull(),
    channel: text('channel').$type<AttemptChannel>(),
    outcome: text('outcome').$type<AttemptOutcome>(),
    /** The key in `mails` of the mail that Intag sent, if the attempt was one. */
    sentKey: text('sent_key').unique(),
    revision: revisionColumn(),
  },
  (table) => [
    index('attempts_revision').on(table.revision),
    index('attempts_lead').on(table.kind, table.leadId),
    index('attempts_at').on(table.at),
    check('attempts_outcome', sql`${table.outcome} in ('sent', 'talked', 'no-answer', 'call-again')`),
  ],
)

export const activity = pgTable(
  'activity',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestampColumn('at').notNull(),
    userId: text('user_id'),
    action: text('action').notNull(),
    leadKind: text('lead_kind').$type<LeadKind>(),
    leadId: text('lead_id'),
    details: jsonb('details').$type<ActivityDetails>(),
    /** The address of the request, of which only the network is kept after 90 days. */
    address: text('address'),
  },
  (table) => [
    index('activity_at').on(table.at),
    index('activity_user').on(table.userId, table.at),
    index('activity_lead').on(table.leadKind, table.leadId, table.at),
  ],
)
export type ActivityDetails = Record<string, string | number | boolean | string[] | null>

export const notes = pgTable(
  'notes',
  {
    id: text('id').primaryKey(),
    ...leadColumns(),
    authorId: text('author_id').references(() => users.id),
    sealedText: text('sealed_text').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    /** Users whom the note names and who have not opened the lead since. */
    unseenBy: text('unseen_by').array().notNull().default([]),
  },
  (table) => [
    index('notes_unseen_by').using('gin', table.unseenBy),
    index('notes_lead').on(table.kind, table.leadId, table.createdAt),
    index('notes_created_at').on(table.createdAt),
  ],
)

/** Name and filters may hold a search for a person, so they are encrypted as one JSON text. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: text('id').primaryKey(),
    ownerId: userIdColumn('owner_id'),
    list: text('list').$type<LeadList>().notNull(),
    sealedView: text('sealed_view').notNull(),
    /** The schools its owner saw when saving it; users with fewer do not see it. Null in old rows. */
    reach: jsonb('reach').$type<SchoolScope>(),
    shared: boolean('shared').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [index('saved_views_owner').on(table.ownerId)],
)

export const replyTemplates = pgTable('reply_templates', {
  id: text('id').primaryKey(),
  language: text('language').$type<'sv' | 'en'>().notNull(),
  name: text('name').notNull(),
  subject: text('subject').notNull(),
  body: text('body').notNull(),
  /** The user whose own template it is, sealed in `body` with an empty name; null is shared by everybody. */
  ownerId: text('owner_id').references(() => users.id, { onDelete: 'cascade' }),
  updatedAt: timestampColumn('updated_at').notNull(),
})

/** A user's preferences and last visits to the lists, by name. They hold nothing about a pupil. */
export const preferences = pgTable(
  'preferences',
  {
    userId: userIdColumn('user_id'),
    name: text('name').notNull(),
    value: jsonb('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
)

export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: timestampColumn('updated_at').notNull(),
})

export type KnownLead = readonly [id: string, seenAt: number, goneAt: number | null]

/** A log of when leads were first seen and when they disappeared. A row holds several leads; the last row that mentions a lead is valid. */
export const knownLeads = pgTable(
  'known_leads',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<LeadKind>().notNull(),
    leads: json('leads').$type<KnownLead[]>().notNull(),
  },
  (table) => [index('known_leads_order').on(table.kind, table.id)],
)

/** Exports; each row is written before the first byte of the file is sent. */
export const exports = pgTable(
  'exports',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').references(() => users.id),
    startedAt: timestampColumn('at').notNull(),
    list: text('list').$type<LeadList>().notNull(),
    format: text('format').notNull(),
    columns: jsonb('columns').$type<string[]>().notNull(),
    count: integer('count').notNull(),
    written: integer('written'),
    state: text('state').$type<'started' | 'finished' | 'broken'>().notNull(),
    endedAt: timestampColumn('ended_at'),
    /** Encrypted JSON with the purpose and the filter, which may be a search for a person. */
    sealedReason: text('sealed_reason').notNull(),
    /** A keyed hash of the view or filter, by which "new since my last export" finds earlier exports. */
    scope: text('scope').notNull(),
    leadIds: text('lead_ids').array().notNull(),
  },
  (table) => [
    index('exports_user').on(table.userId, table.scope, table.startedAt),
    index('exports_at').on(table.startedAt),
    check('exports_state', sql`${table.state} in ('started', 'finished', 'broken')`),
  ],
)

/** Requests of the last hour, so that a restart cannot exceed the limit. */
export const upstreamRequests = pgTable(
  'upstream_requests',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    sentAt: millisecondsColumn('sent_at').notNull(),
    finishedAt: millisecondsColumn('finished_at'),
    purpose: text('purpose').notNull(),
  },
  (table) => [index('upstream_requests_sent_at').on(table.sentAt)],
)

/** Mails. The row is written before the mail is sent, so that it is never sent twice. `key` is a hash; the row holds neither text nor address. */
export const mails = pgTable(
  'mails',
  {
    key: text('name').primaryKey(),
    writtenAt: timestampColumn('at').notNull(),
    state: text('state').$type<'sending' | MailOutcome>().notNull(),
    /** The purpose of the mail and the id of the user who sent it. */
    sender: text('sender').notNull(),
    /** The lead or user by which mails to one recipient are counted. */
    about: text('about'),
  },
  (table) => [index('mails_at').on(table.writtenAt)],
)

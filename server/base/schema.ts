import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, json, jsonb, text, timestamp } from 'drizzle-orm/pg-core'
import { check, index, pgSequence, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core'
import type { AttemptChannel, AttemptOutcome, LeadKind, LeadList, LeadStatus } from '@/lib/contract/lead'
import type { MailOutcome } from '@/lib/contract/service-report'
import type { Role, SchoolScope } from '@/lib/contract/user'

export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const bigintColumn = (name: string) => bigint(name, { mode: 'number' })
const identityColumn = () => bigintColumn('id').primaryKey().generatedAlwaysAsIdentity()

export const userIdColumn = (name: string) =>
  text(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

const leadColumns = () => ({ kind: text('kind').$type<LeadKind>().notNull(), leadId: text('lead_id').notNull() })
const revisionColumn = () =>
  bigintColumn('revision')
    .notNull()
    .default(sql`nextval('triage_revision')`)

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull().unique(),
    name: text('name').notNull(),
    role: text('role').$type<Role>().notNull(),
    schools: jsonb('schools').$type<SchoolScope>().notNull(),
    passwordHash: text('password_hash'),
    disabled: boolean('disabled').notNull().default(false),
    demo: boolean('demo').notNull().default(false),
    /** The maps of single sign-on have set the role or the schools. */
    managed: boolean('managed').notNull().default(false),
    /** May sign in by password although PASSWORD_SIGN_IN is off. */
    breakGlass: boolean('break_glass').notNull().default(false),
    activatedAt: timestampColumn('activated_at'),
    createdAt: timestampColumn('created_at').notNull(),
    /** The hash of the password link's token: a stolen copy of the table opens no account. */
    linkHash: text('link_hash').unique(),
    linkExpiresAt: timestampColumn('link_expires_at'),
    /** The linked single sign-on account. `oid` is Entra ID's, which outlives `subject`. */
    issuer: text('issuer'),
    subject: text('subject'),
    oid: text('oid'),
    /** Hashes of the unused codes. */
    recoveryCodes: text('recovery_codes').array().notNull().default([]),
  },
  (table) => [
    unique('users_subject').on(table.issuer, table.subject),
    unique('users_oid').on(table.issuer, table.oid),
    check('users_email_lower', sql`${table.email} = lower(${table.email})`),
    check('users_role', sql`${table.role} in ('staff', 'manager', 'admin')`),
  ],
)

/** Counts failed tries since the last success. `key` is a keyed hash, for instance of account and network. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    key: text('key').primaryKey(),
    failureCount: integer('failures').notNull(),
    lastTryAtMs: bigintColumn('last_at').notNull(),
    lockedUntilMs: bigintColumn('locked_until').notNull(),
    succeededAtMs: bigintColumn('succeeded_at'),
  },
  (table) => [index('sign_in_attempts_last_at').on(table.lastTryAtMs)],
)

/** Numbers the changes of `triage` and `attempts`, so that an instance reads only newer ones. */
export const triageRevision = pgSequence('triage_revision')

export const triage = pgTable(
  'triage',
  {
    ...leadColumns(),
    status: text('status').$type<LeadStatus>().notNull(),
    assigneeId: text('assignee_id').references(() => users.id),
    updatedAt: timestampColumn('updated_at').notNull(),
    updatedBy: text('updated_by').references(() => users.id),
    /** When the status last changed, set by a trigger. */
    statusAt: timestampColumn('status_at'),
    /** The Stockholm day, `yyyy-MM-dd`, until which the lead is put aside. */
    snoozeUntil: text('snooze_until'),
    revision: revisionColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.leadId] }),
    index('triage_revision_order').on(table.revision),
    check('triage_status', sql`${table.status} in ('new', 'in-progress', 'handled', 'dismissed')`),
  ],
)

/** A trigger records deleted rows of `triage` here, for the other instances. */
export const triageDeletions = pgTable(
  'triage_deletions',
  {
    revision: bigintColumn('revision').primaryKey(),
    ...leadColumns(),
    deletedAt: timestampColumn('deleted_at').notNull(),
  },
  (table) => [index('triage_deletions_deleted_at').on(table.deletedAt)],
)

/** Attempts to reach a person. A row without an outcome was undone or erased, and stays until all instances know. */
export const attempts = pgTable(
  'attempts',
  {
    id: identityColumn(),
    ...leadColumns(),
    userId: text('user_id').references(() => users.id),
    madeAt: timestampColumn('at').notNull(),
    channel: text('channel').$type<AttemptChannel>(),
    outcome: text('outcome').$type<AttemptOutcome>(),
    /** The key in `mails`, if the attempt is a mail that Intag sent. */
    sentKey: text('sent_key').unique(),
    revision: revisionColumn(),
  },
  (table) => [
    index('attempts_revision').on(table.revision),
    index('attempts_lead').on(table.kind, table.leadId),
    index('attempts_at').on(table.madeAt),
    check('attempts_outcome', sql`${table.outcome} in ('sent', 'talked', 'no-answer', 'call-again')`),
  ],
)

export const activity = pgTable(
  'activity',
  {
    id: identityColumn(),
    loggedAt: timestampColumn('at').notNull(),
    userId: text('user_id'),
    action: text('action').notNull(),
    leadKind: text('lead_kind').$type<LeadKind>(),
    leadId: text('lead_id'),
    details: jsonb('details').$type<ActivityDetails>(),
    /** The request's address, of which only the network is kept after 90 days. */
    address: text('address'),
  },
  (table) => [
    index('activity_at').on(table.loggedAt),
    index('activity_user').on(table.userId, table.loggedAt),
    index('activity_lead').on(table.leadKind, table.leadId, table.loggedAt),
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
    /** Users whom the note mentions and who have not opened the lead since. */
    unseenBy: text('unseen_by').array().notNull().default([]),
  },
  (table) => [
    index('notes_unseen_by').using('gin', table.unseenBy),
    index('notes_lead').on(table.kind, table.leadId, table.createdAt),
    index('notes_created_at').on(table.createdAt),
  ],
)

/** Name and filters, which may hold a search for a person, are encrypted as one JSON text. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: text('id').primaryKey(),
    ownerId: userIdColumn('owner_id'),
    list: text('list').$type<LeadList>().notNull(),
    sealedView: text('sealed_view').notNull(),
    /** The owner's schools when saving; users with fewer do not see the view. Null in old rows. */
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
  /** The owner of a personal template, whose texts are sealed in `body`; null if all staff share the template. */
  ownerId: text('owner_id').references(() => users.id, { onDelete: 'cascade' }),
  updatedAt: timestampColumn('updated_at').notNull(),
})

/** What a user prefers, and when they last visited each list. */
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

/** A log of when leads were first seen and when they disappeared. Each row holds many entries. */
export const knownLeads = pgTable(
  'known_leads',
  {
    id: identityColumn(),
    kind: text('kind').$type<LeadKind>().notNull(),
    leads: json('leads').$type<KnownLead[]>().notNull(),
  },
  (table) => [index('known_leads_order').on(table.kind, table.id)],
)

/** A row is written before the first byte of its file is sent, so that no file leaves unlogged. */
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
    /** JSON of the purpose and the filter, which may be a search for a person. */
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

/** Requests to the service in the last hour, so that a restart cannot exceed its limit. Times are in ms. */
export const upstreamRequests = pgTable(
  'upstream_requests',
  {
    id: identityColumn(),
    sentAt: bigintColumn('sent_at').notNull(),
    finishedAt: bigintColumn('finished_at'),
    purpose: text('purpose').notNull(),
  },
  (table) => [index('upstream_requests_sent_at').on(table.sentAt)],
)

/** A row is written before its mail is sent, so that none is sent twice. It holds neither text nor address. */
export const mails = pgTable(
  'mails',
  {
    key: text('name').primaryKey(),
    writtenAt: timestampColumn('at').notNull(),
    state: text('state').$type<'sending' | MailOutcome>().notNull(),
    /** The mail's purpose and the id of the user who sends it. */
    sender: text('sender').notNull(),
    /** The lead or user that the mail is about, by which mails to one person are counted. */
    about: text('about'),
  },
  (table) => [index('mails_at').on(table.writtenAt)],
)

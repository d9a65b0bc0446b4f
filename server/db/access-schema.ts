import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment, users } from './schema'

const person = () =>
  text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Sign-ins that hold or have ended lately. The cookie names one; what it is worth is decided here. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: person(),
    method: text('method').$type<'password' | 'passkey' | 'oidc'>().notNull(),
    createdAt: moment('created_at').notNull(),
    /** At most a minute older than the last use. */
    lastUsedAt: moment('last_used_at').notNull(),
    /** When the person last proved who they are: at sign-in, or asked anew before something weighty. */
    provedAt: moment('proved_at').notNull(),
    /** Browser and system in words, such as "Firefox, Windows". */
    device: text('device').notNull(),
    address: text('address').notNull(),
    endedAt: moment('ended_at'),
    endedBy: text('ended_by').$type<'person' | 'admin' | 'password' | 'access' | 'provider'>(),
    /** Enciphered: the provider wants it back when somebody signs out there. */
    sealedIdToken: text('sealed_id_token'),
    /** What the provider calls its own session (`sid`), by which it says that somebody has signed out there. */
    providerSid: text('provider_sid'),
  },
  (table) => [index('sessions_user').on(table.userId, table.createdAt), index('sessions_ended_at').on(table.endedAt)],
)

/** Whom a provider of single sign-on means by a subject, found once by e-mail and bound from then on. */
export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: person(),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), index('identities_user').on(table.userId)],
)

/** What somebody proves who they are with besides a password. */
export const secondFactors = pgTable(
  'second_factors',
  {
    /** Of a passkey, the credential's id. */
    id: text('id').primaryKey(),
    userId: person(),
    type: text('type').$type<'totp' | 'passkey'>().notNull(),
    name: text('name').notNull(),
    /** Enciphered: the shared secret of a TOTP (RFC 6238), or the public key of a passkey (COSE, base64url). */
    sealedKey: text('sealed_key').notNull(),
    /** The last time step that was used of a TOTP, the signature counter of a passkey: neither goes back. */
    counter: bigint('counter', { mode: 'number' }).notNull().default(0),
    transports: jsonb('transports').$type<string[]>(),
    /** Null until the first code was right: what nobody can use yet is asked of nobody. */
    confirmedAt: moment('confirmed_at'),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
  },
  (table) => [
    index('second_factors_user').on(table.userId),
    check('second_factors_type', sql`${table.type} in ('totp', 'passkey')`),
  ],
)

/** Ten codes for the day the telephone is lost, each good once; only their hashes are kept. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  { userId: person(), codeHash: text('code_hash').notNull(), usedAt: moment('used_at') },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/** Browsers from which somebody has signed in before: other people's guesses do not lock them out there. */
export const knownDevices = pgTable(
  'known_devices',
  { tokenHash: text('token_hash').primaryKey(), userId: person(), lastUsedAt: moment('last_used_at').notNull() },
  (table) => [index('known_devices_user').on(table.userId)],
)

/** How much somebody has read in an hour, without what: to see what is more than usual. */
export const readingHours = pgTable(
  'reading_hours',
  {
    userId: person(),
    hour: moment('hour').notNull(),
    /** Rows of lists and searches that were shown, and leads and contacts that were opened. */
    listed: integer('listed').notNull().default(0),
    opened: integer('opened').notNull().default(0),
    searches: integer('searches').notNull().default(0),
    /** When it became more than usual, and what the person said why: enciphered. */
    unusualAt: moment('unusual_at'),
    sealedReason: text('sealed_reason'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hour] }), index('reading_hours_hour').on(table.hour)],
)

/** Stretches of the log, each under a keyed hash that includes the one before (HMAC-SHA-256). */
export const activitySeals = pgTable('activity_seals', {
  id: bigint('id', { mode: 'number' }).primaryKey(),
  at: moment('at').notNull(),
  count: integer('count').notNull(),
  digest: text('digest').notNull(),
  hash: text('hash').notNull(),
  /** Its entries are older than the retention period, and gone. */
  expired: boolean('expired').notNull().default(false),
})

/** Persons whose identity is protected: who they are is enciphered; only the people named see how to reach them. */
export const protectedPersons = pgTable('protected_persons', {
  id: text('id').primaryKey(),
  /** Enciphered JSON: their e-mail addresses and phones as they are compared, and why. */
  sealedPerson: text('sealed_person').notNull(),
  allowedUsers: jsonb('allowed_users').$type<string[]>().notNull(),
  createdBy: text('created_by').references(() => users.id),
  createdAt: moment('created_at').notNull(),
})

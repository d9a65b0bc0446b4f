import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigintColumn, timestampColumn, userIdColumn, users } from './schema'

/** Current and recently ended sessions. The cookie names one by its id. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: userIdColumn('user_id'),
    method: text('method').$type<'password' | 'oidc'>().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    lastUsedAt: timestampColumn('last_used_at').notNull(),
    /** When the user last signed in or re-authenticated. */
    provedAt: timestampColumn('proved_at').notNull(),
    device: text('device').notNull(),
    address: text('address').notNull(),
    endedAt: timestampColumn('ended_at'),
    endedBy: text('ended_by').$type<'person' | 'admin' | 'password' | 'access' | 'provider'>(),
    /** The ID token, which the provider wants back when the user signs out there. */
    sealedIdToken: text('sealed_id_token'),
    /** The `sid` of the provider's session, by which back-channel logout ends this one. */
    providerSid: text('provider_sid'),
  },
  (table) => [index('sessions_user').on(table.userId, table.createdAt), index('sessions_ended_at').on(table.endedAt)],
)

export const secondFactors = pgTable(
  'second_factors',
  {
    id: text('id').primaryKey(),
    userId: userIdColumn('user_id'),
    name: text('name').notNull(),
    /** The shared secret of a TOTP (RFC 6238). */
    sealedKey: text('sealed_key').notNull(),
    /** The time step of the last accepted code; only codes of later steps are accepted. */
    lastTimeStep: bigintColumn('counter').notNull().default(0),
    /** When the first right code was entered; before, no sign-in asks for one. */
    confirmedAt: timestampColumn('confirmed_at'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [index('second_factors_user').on(table.userId)],
)

/** Persons with a protected identity. Only the users of `allowedUserIds` see their e-mail addresses and phones. */
export const protectedPersons = pgTable('protected_persons', {
  id: text('id').primaryKey(),
  /** Encrypted JSON of the normalised e-mail addresses and phones, and the reason. */
  sealedPerson: text('sealed_person').notNull(),
  allowedUserIds: jsonb('allowed_users').$type<string[]>().notNull(),
  createdBy: text('created_by').references(() => users.id),
  createdAt: timestampColumn('created_at').notNull(),
})

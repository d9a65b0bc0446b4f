import { customType, integer, pgSequence, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bigintColumn, timestampColumn } from './schema'

/** Numbers the messages between instances, so that an instance notices gaps. */
export const eventNumber = pgSequence('event_number')

/** The lease of the instance that fetches the lists. `fencingToken` grows, so that no former holder can write. */
export const feedLeader = pgTable('feed_leader', {
  name: text('name').primaryKey(),
  instance: text('instance').notNull(),
  fencingToken: bigintColumn('token').notNull(),
  leaseUntil: timestampColumn('until').notNull(),
})

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** The lists as last fetched, encrypted. These tables are unlogged: no write-ahead log and no dump has them. */
export const sharedLists = pgTable('shared_lists', {
  list: text('list').primaryKey(),
  version: bigintColumn('version').notNull(),
  sealedState: text('sealed_state').notNull(),
  bodyId: text('body'),
  publishedAt: timestampColumn('published_at').notNull(),
  /** From this moment on the row counts as absent. */
  expiresAt: timestampColumn('expires_at').notNull(),
})

export const sharedListParts = pgTable(
  'shared_list_parts',
  {
    bodyId: text('body').notNull(),
    part: integer('part').notNull(),
    list: text('list').notNull(),
    sealedBytes: bytes('sealed_bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.bodyId, table.part] })],
)

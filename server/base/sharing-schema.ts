import 'server-only'
import { bigint, customType, integer, pgSequence, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestampColumn } from './schema'

/** How many messages instances have sent each other, so that one notices that it has missed some. */
export const eventNumber = pgSequence('event_number')

/** One row: which instance fetches the lists. `token` grows with each, so that one of before can no longer write. */
export const feedLeader = pgTable('feed_leader', {
  name: text('name').primaryKey(),
  instance: text('instance').notNull(),
  fencingToken: bigint('token', { mode: 'number' }).notNull(),
  leaseUntil: timestampColumn('until').notNull(),
})

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/**
 * The lists as the leader fetched them last, sealed, so that instances share one fetch. Unlogged, as are their parts
 * and the leader: nothing of it is in the write-ahead log, and a dump made as documented leaves it out.
 */
export const sharedLists = pgTable('shared_lists', {
  list: text('list').primaryKey(),
  version: bigint('version', { mode: 'number' }).notNull(),
  sealedState: text('sealed_state').notNull(),
  body: text('body'),
  publishedAt: timestampColumn('published_at').notNull(),
  /** A while after the last good answer: afterwards the row counts as absent. */
  expiresAt: timestampColumn('expires_at').notNull(),
})

export const sharedListParts = pgTable(
  'shared_list_parts',
  {
    body: text('body').notNull(),
    part: integer('part').notNull(),
    list: text('list').notNull(),
    sealedBytes: bytes('sealed_bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.body, table.part] })],
)

import 'server-only'
import { sql } from 'drizzle-orm'
import { check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './schema'

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

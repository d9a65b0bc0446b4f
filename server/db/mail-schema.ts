import 'server-only'
import { sql } from 'drizzle-orm'
import { check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './schema'

/**
 * That a mail of this name was begun, written before anything is sent: whoever comes second, or after a process that died in the
 * middle, does not send it again. A hash, or a day and a person's id; nothing of the mail, and not whom it was to.
 */
export const mails = pgTable(
  'mails',
  {
    name: text('name').primaryKey(),
    at: moment('at').notNull(),
    state: text('state').$type<'sending' | 'unsure' | 'sent'>().notNull(),
  },
  (table) => [
    index('mails_at').on(table.at),
    check('mails_state', sql`${table.state} in ('sending', 'unsure', 'sent')`),
  ],
)

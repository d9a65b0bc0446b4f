import 'server-only'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as accessSchema from './access-schema'
import * as jobSchema from './job-schema'
import * as workSchema from './schema'

/** Every table by its name, in the order of the alphabet. */
export const allTables: readonly string[] = Object.values({ ...workSchema, ...accessSchema, ...jobSchema })
  .flatMap((part) => (is(part, PgTable) ? [getTableName(part)] : []))
  .toSorted()

/**
 * What would open a door again if it came back: sessions and links that have ended since, browsers that somebody has
 * forgotten, and how long the next try to sign in must wait.
 */
const OPEN_DOORS: ReadonlySet<string> = new Set(['sessions', 'invitations', 'known_devices', 'sign_in_attempts'])

/** What is in a backup. */
export const backedUpTables: readonly string[] = allTables.filter((name) => !OPEN_DOORS.has(name))

/**
 * What a restored database keeps of its own beside what comes: requests that were sent to the service count whoever sent
 * them, and whoever guesses passwords is not forgiven.
 */
export const TABLES_THAT_STAY: readonly string[] = ['upstream_requests', 'sign_in_attempts']

/** Tables that every new database gets rows in by itself. */
const FILLED_AT_FIRST: ReadonlySet<string> = new Set(['settings', 'reply_templates', ...TABLES_THAT_STAY])

/** Where a row means that somebody has worked with this database. */
export const tablesOfWork: readonly string[] = allTables.filter((name) => !FILLED_AT_FIRST.has(name))

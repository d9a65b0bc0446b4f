import 'server-only'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as accessSchema from './access-schema'
import * as jobSchema from './job-schema'
import * as workSchema from './schema'

export const allTables: readonly string[] = Object.values({ ...workSchema, ...accessSchema, ...jobSchema })
  .flatMap((part) => (is(part, PgTable) ? [getTableName(part)] : []))
  .toSorted()

/** Tables that would restore access: ended sessions and links, forgotten browsers, and waiting times of sign-ins. */
const OPEN_DOORS: ReadonlySet<string> = new Set(['sessions', 'invitations', 'known_devices', 'sign_in_attempts'])

export const backedUpTables: readonly string[] = allTables.filter((name) => !OPEN_DOORS.has(name))

/** Kept by a restored database: requests already sent still count, and so do wrong passwords. */
export const TABLES_THAT_STAY: readonly string[] = ['upstream_requests', 'sign_in_attempts']

const FILLED_AT_FIRST: ReadonlySet<string> = new Set(['settings', 'reply_templates', ...TABLES_THAT_STAY])

export const tablesOfWork: readonly string[] = allTables.filter((name) => !FILLED_AT_FIRST.has(name))

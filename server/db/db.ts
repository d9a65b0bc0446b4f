import 'server-only'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema'

/** Either driver, or a transaction of either. Inside a transaction use `tx` alone: PGlite has one connection. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>
/** How a part reaches the database: asked for at each use, so that nothing opens before it is needed. */
export type Connect = () => Promise<Db>

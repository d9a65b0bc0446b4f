import { moveTables } from '@/server/db/backup'
import { openPostgres } from '@/server/db/database'
import { allTables } from '@/server/db/kept-tables'
import { loadEnv } from '@/server/env'
import { services } from '@/server/services'
import { type AdminCommand, argumentsOf, UsageError, withServices } from './command'
import { refuseOthers } from './others'
import { inColumns } from './table'

/** From the database in `DATA_DIR` to a server, once one machine is not enough. */
export const move: AdminCommand = {
  usage: 'move --to postgres://…',
  says: 'copies everything from PGlite into an empty PostgreSQL and compares it row by row. Intag must be stopped',
  more: [
    'Nothing is changed in DATA_DIR: until Intag has started with DATABASE_URL there is a way back. An address with a',
    'password is seen in the list of processes: MOVE_TO=postgres://… in the environment does the same as --to.',
  ].join('\n'),
  run: async (args) => {
    const { values } = argumentsOf(args, 0, { to: { type: 'string' } })
    const to = values.to ?? process.env.MOVE_TO
    if (to === undefined) throw new UsageError('--to is missing.')
    const { env, logger } = services()
    if (env.databaseUrl !== null) throw new Error('DATABASE_URL is set: there is nothing in PGlite to move. Unset it.')
    // Whatever is wrong with the address, or may not be, is said now and not at the next start.
    loadEnv({ ...process.env, DATABASE_URL: to })
    return withServices(async ({ connect }) => {
      const target = await openPostgres(to, logger)
      try {
        await refuseOthers(target.db, to)
        const moved = await moveTables(await connect(), target.db, allTables)
        const rows = moved.map(({ table, rows: count, digest }) => [table, String(count), digest.slice(0, 16), 'same'])
        return [
          inColumns([['table', 'rows', 'digest', 'there'], ...rows]),
          'All of it is in PostgreSQL now. Set DATABASE_URL to that address, leave DATA_KEY as it is, and start Intag.',
          `Once it runs, ${env.dataDir}/pg is no longer needed: make a backup, then delete it.`,
        ].join('\n')
      } finally {
        await target.close()
      }
    })
  },
}

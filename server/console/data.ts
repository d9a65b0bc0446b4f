import 'server-only'
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { constants, copyFile, open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type AboutBackup, checkBackup, moveTables, restoreBackup, writeBackup } from '@/server/db/backup'
import { type Db, openPostgres } from '@/server/db/database'
import { allTables, type CopiedTable } from '@/server/db/table-copy'
import { loadEnv } from '@/server/env'
import { type Services, services } from '@/server/services'
import { type AdminCommand, argumentsOf, inColumns, UsageError, withServices } from './command'
import { byRunning } from './running'
import { draftsIn } from './socket'

export const backup: AdminCommand = {
  usage: 'backup FILE [--verify]',
  says: 'writes everything that is kept to a new file, sealed with DATA_KEY, while Intag goes on; - is standard output',
  more: [
    'The file (0600) holds every table but sessions, open links, known browsers and refused tries, as of one moment, and is',
    'read back before the command ends. --verify only reads one that is there and says what is in it. Keep DATA_KEY apart',
    'from it: without the key nobody can read it. On PGlite everybody waits while it is written.',
  ].join('\n'),
  run: async (args) => {
    const { values, named } = argumentsOf(args, 1, { verify: { type: 'boolean' } })
    const [name = ''] = named
    const path = resolve(name)
    if (values.verify === true) return described(path, await checkBackup(path, services().dataKeys))
    if (name === '-') return toOutput()
    if (existsSync(path)) throw new Error(`There is a file ${path} already.`)
    return make(path)
  },
}

async function toOutput(): Promise<string> {
  if (process.stdout.isTTY) throw new UsageError('A terminal shows no backup: name a file, or pass it on with > or |.')
  return withDraft(async (draft) => {
    const said = await make(draft)
    await pipeline(createReadStream(draft), process.stdout, { end: false })
    process.stderr.write(`${said.replace(draft, 'The backup')}\n`)
    return ''
  })
}

/** A running Intag may write to its folder alone, so from there it is moved. */
async function make(path: string): Promise<string> {
  return write(path).catch((error: unknown) =>
    withDraft(async (draft) => {
      const { code, out, err } = await byRunning(error, { args: ['backup', draft] })
      if (code !== 0) throw new Error(err)
      await handOver(draft, path)
      return out.replace(draft, path)
    }),
  )
}

async function write(path: string): Promise<string> {
  return withServices(async (parts) => {
    const { rows } = await writeBackup(await parts.connect(), path, { ...parts, mode: parts.env.mode })
    await parts.activity.record({ userId: null, action: 'backup-made', details: { rows, console: true } })
    return described(path, await checkBackup(path, parts.dataKeys))
  })
}

async function withDraft<T>(work: (draft: string) => Promise<T>): Promise<T> {
  const folder = draftsIn(services().env.dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${randomUUID()}.backup`)
  try {
    return await work(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

async function handOver(from: string, to: string): Promise<void> {
  await (await open(to, 'wx', 0o600)).close()
  await rename(from, to).catch(async () => {
    await rm(to)
    await copyFile(from, to, constants.COPYFILE_EXCL)
  })
}

function described(path: string, { about, tables }: { about: AboutBackup; tables: readonly CopiedTable[] }): string {
  const rows = tables.filter((table) => table.rows > 0).map(({ table, rows: count }) => [table, String(count)])
  return [
    `${path} is whole: ${total(tables)} rows of ${about.madeAt}, Intag ${about.release}, ${about.mode}, key ${about.key}.`,
    inColumns([['table', 'rows'], ...rows]),
  ].join('\n')
}

function total(tables: readonly CopiedTable[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

export const restore: AdminCommand = {
  usage: 'restore FILE [--replace]',
  says: 'puts a backup (- is standard input) into an empty database; --replace: whatever is there. Intag must be stopped',
  more: [
    'The whole file is read before anything is changed, and everything is changed at once or not at all. Afterwards',
    'everybody signs in again, and open links must be made again. A backup of PGlite may be restored into PostgreSQL and the',
    'other way round. A backup from before DATA_KEY was changed opens with DATA_KEY_PREVIOUS. What',
    'was taken away from a user after the backup was made is theirs again: look through users.',
  ].join('\n'),
  isAlone: true,
  run: async (args) => {
    const { values, named } = argumentsOf(args, 1, { replace: { type: 'boolean' } })
    const [name = ''] = named
    const terms = { replace: values.replace === true }
    if (name !== '-') return restoreFrom(resolve(name), terms)
    return withDraft(async (draft) => {
      await pipeline(process.stdin, createWriteStream(draft, { mode: 0o600 }))
      return (await restoreFrom(draft, terms)).replace(draft, 'The backup')
    })
  },
}

async function restoreFrom(path: string, { replace }: { replace: boolean }): Promise<string> {
  const { dataKeys, env } = services()
  const { about } = await checkBackup(path, dataKeys)
  const work = async ({ connect, activity }: Services) => {
    const db = await connect()
    await refuseOthers(db, env.databaseUrl)
    const tables = await restoreBackup(db, path, { mode: env.mode, dataKeys, replace }).catch((error: unknown) => {
      throw replace || !(error instanceof Error) || !error.message.includes('not empty')
        ? error
        : new Error(`${error.message} With --replace all of it is replaced by the backup.`)
    })
    const details = { madeAt: about.madeAt, rows: total(tables), console: true }
    await activity.record({ userId: null, action: 'backup-restored', details })
    return `${described(path, { about, tables })}\nAll of it is in the database now, compared row by row. Start Intag; everybody signs in again.`
  }
  // What was sealed with another key is replaced, too.
  return withServices(work, { isKeyLost: replace })
}

export const move: AdminCommand = {
  usage: 'move --to postgres://…',
  says: 'copies everything from PGlite into an empty PostgreSQL and compares it row by row. Intag must be stopped',
  more: [
    'Nothing is changed in DATA_DIR: until Intag has started with DATABASE_URL there is a way back. An address with a',
    'password is seen in the list of processes: MOVE_TO=postgres://… in the environment does the same as --to.',
  ].join('\n'),
  isAlone: true,
  run: async (args) => {
    const { values } = argumentsOf(args, 0, { to: { type: 'string' } })
    const to = values.to ?? process.env.MOVE_TO
    if (to === undefined) throw new UsageError('--to is missing.')
    const { env, logger } = services()
    if (env.databaseUrl !== null) throw new Error('DATABASE_URL is set: there is nothing in PGlite to move. Unset it.')
    // Finds fault with the address now, not at the next start.
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

const othersSchema = z.object({ rows: z.tuple([z.object({ others: z.coerce.number() })]) })

export async function refuseOthers(db: Db, databaseUrl: string | null): Promise<void> {
  if (databaseUrl === null) return
  const found = await db.execute(sql`
    select count(*) as others from pg_stat_activity
    where datname = current_database() and application_name = 'intag' and pid <> pg_backend_pid()`)
  const [{ others }] = othersSchema.parse(found).rows
  if (others > 0) throw new Error('Intag runs on this database: stop every instance first.')
}

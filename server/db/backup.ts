import 'server-only'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import packageJson from '@/package.json'
import { type DataKeys, keysOf } from '@/server/seal'
import type { Db } from './database'
import { backedUpTables, type CopiedTable, copyOf, markSchema, tablesOfWork } from './table-copy'
import { migrationOf } from './migrations'
import { readHeader, readSealedFile, SealedFileError, writeSealedFile } from './sealed-file'
import { LoadError, loadTables } from './table-load'

const aboutSchema = z.object({
  release: z.string(),
  madeAt: z.iso.datetime(),
  mode: z.enum(['demo', 'connected']),
  migration: z.number(),
  key: z.string(),
})

export type AboutBackup = z.infer<typeof aboutSchema>
type Made = { mode: AboutBackup['mode']; dataKeys: DataKeys; now: () => number }

/** PostgreSQL goes on meanwhile; PGlite has one connection, so every query waits. */
export function writeBackup(db: Db, path: string, { mode, dataKeys, now }: Made): Promise<{ rows: number }> {
  return inOneMoment(db, async (tx) => {
    const [madeAt, migration] = [new Date(now()).toISOString(), (await migrationOf(tx)) ?? 0]
    const about = { release: packageJson.version, madeAt, mode, migration }
    const written = { rows: 0 }
    await writeSealedFile(path, dataKeys.current, about, countRows(copyOf(tx, backedUpTables), written))
    return written
  })
}

async function* countRows(lines: AsyncIterable<string[]>, written: { rows: number }): AsyncGenerator<string[]> {
  for await (const some of lines) {
    written.rows += some.filter((line) => line.startsWith('[')).length
    yield some
  }
}

export function inOneMoment<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' })
}

/** Reads a backup to its end, without a database; `SealedFileError` unless all of it is there and unchanged. */
export async function checkBackup(path: string, dataKeys: DataKeys) {
  const about = aboutSchema.safeParse((await readHeader(path)).about)
  if (!about.success) throw new SealedFileError('This is no backup of Intag.')
  const tables: CopiedTable[] = []
  let isWhole = false
  let name = ''
  for await (const line of marksOf(readSealedFile(path, keysOf(dataKeys)))) {
    const mark = markSchema.parse(JSON.parse(line))
    if ('table' in mark) name = mark.table
    else if ('rows' in mark) tables.push({ table: name, ...mark })
    else isWhole = true
  }
  if (!isWhole) throw new SealedFileError('The backup is cut short: it cannot be used.')
  return { about: about.data, tables }
}

async function* marksOf(lines: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const some of lines) for (const line of some) if (line.startsWith('{')) yield line
}

/**
 * Replaces everything in the database by a backup, in one transaction. `LoadError` or `SealedFileError`, and nothing
 * changed, for a file that is damaged, of the other mode or of a newer release, and, without `replace`, where the
 * database is not empty.
 */
export async function restoreBackup(
  db: Db,
  path: string,
  { mode, dataKeys, replace }: { mode: AboutBackup['mode']; dataKeys: DataKeys; replace: boolean },
): Promise<CopiedTable[]> {
  const { about } = await checkBackup(path, dataKeys)
  if (about.mode !== mode) throw new LoadError(`This is a backup of ${MODES[about.mode]}, and here is ${MODES[mode]}.`)
  return db.transaction(async (tx) => {
    if (!replace) await refuseWork(tx)
    return loadTables(tx, { lines: readSealedFile(path, keysOf(dataKeys)), migration: about.migration })
  })
}

const MODES: Readonly<Record<AboutBackup['mode'], string>> = {
  demo: 'a demo',
  connected: 'an installation with the real service',
}

export async function refuseWork(tx: Db): Promise<void> {
  const filled: string[] = []
  for (const table of tablesOfWork) {
    const found = await tx.execute(sql`select 1 as one from ${sql.identifier(table)} limit 1`)
    if (z.object({ rows: z.array(z.unknown()) }).parse(found).rows.length > 0) filled.push(table)
  }
  if (filled.length > 0) throw new LoadError(`The database is not empty (${filled.join(', ')}).`)
}

/** Copies every table, sessions too, into an unused database, and compares all of it. */
export function moveTables(from: Db, to: Db, tables: readonly string[]): Promise<CopiedTable[]> {
  return inOneMoment(from, async (source) =>
    to.transaction(async (target) => {
      await refuseWork(target)
      const migration = (await migrationOf(source)) ?? 0
      return loadTables(target, { lines: copyOf(source, tables), migration })
    }),
  )
}

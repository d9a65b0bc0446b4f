import 'server-only'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from './database'
import * as copies from './table-copy'
import { migrateBetween, migrationOf, newestMigration } from './migrations'
import { triageRevision } from './schema'

/** The copy is damaged, or this release cannot read it. The message is for people. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}

type Options = {
  lines: AsyncIterable<string[]>
  /** The newest migration of their source; later ones are applied at the end. */
  migration: number
}

/** Each table is read back and compared by count and digest; `LoadError` for any difference. */
export async function loadTables(tx: Db, { lines, migration }: Options): Promise<copies.CopiedTable[]> {
  if (migration > newestMigration())
    throw new LoadError('This was made by a newer release of Intag: restore it with that one, or a later one.')
  const sequencesBefore = await copies.sequencesOf(tx)
  const kept = await setAside(tx)
  await emptyTables(tx, migration)
  const { tables, sequences } = await fill(tx, lines)
  for (const { table, rows, digest, columns } of tables) {
    const there = await copies.countRows(tx, table, columns)
    if (there.rows !== rows || there.digest !== digest)
      throw new LoadError(`What was written to ${table} is not what was read: nothing is changed.`)
  }
  await migrateBetween(tx, migration, newestMigration())
  await putBack(tx, kept)
  await goOnCounting(tx, sequences, sequencesBefore)
  return tables.map(({ table, rows, digest }) => ({ table, rows, digest }))
}

async function setAside(tx: Db): Promise<string[]> {
  const kept: string[] = []
  for (const table of copies.TABLES_THAT_STAY) {
    if ((await copies.columnsOf(tx, table)).length === 0) continue
    await tx.execute(
      sql`create temp table ${sql.identifier(`kept_${table}`)} on commit drop as table ${sql.identifier(table)}`,
    )
    kept.push(table)
  }
  return kept
}

async function putBack(tx: Db, kept: readonly string[]): Promise<void> {
  for (const table of kept)
    await tx.execute(sql`
      insert into ${sql.identifier(table)} overriding system value
      select * from ${sql.identifier(`kept_${table}`)} on conflict do nothing`)
}

const joinNames = (names: readonly string[]) => sql.join(names.map(sql.identifier), sql`, `)

async function emptyTables(tx: Db, migration: number): Promise<void> {
  const named = joinNames(copies.allTables)
  if ((await migrationOf(tx)) === migration) {
    await tx.execute(sql`truncate ${named}`)
    return
  }
  await tx.execute(sql`drop table if exists ${named} cascade`)
  await tx.execute(sql`drop sequence if exists ${sql.identifier(triageRevision.seqName ?? 'triage_revision')}`)
  await tx.execute(sql`drop function if exists triage_rows_deleted, attempts_erased, triage_status_at`)
  await tx.execute(sql`delete from drizzle.__drizzle_migrations`)
  await migrateBetween(tx, 0, migration)
}

type Filled = copies.CopiedTable & { columns: string[] }
type Filling = { columns: string[]; count: ReturnType<typeof copies.createRowCount>; insert: Insert }

async function fill(tx: Db, lines: AsyncIterable<string[]>) {
  const tables: Filled[] = []
  let sequences: Record<string, number> | null = null
  let current: Filling | null = null
  const write = async (rows: string[]) => {
    if (rows.length === 0) return
    if (current === null) throw new LoadError(DISORDER)
    for (const row of rows) current.count.add(row)
    await current.insert(rows.splice(0))
  }
  for await (const some of lines) {
    const rows: string[] = []
    for (const line of some) {
      if (line.startsWith('[')) {
        rows.push(line)
        continue
      }
      await write(rows)
      const mark = copies.markSchema.parse(JSON.parse(line))
      if ('table' in mark) {
        const { table, columns } = mark
        current = { columns, count: copies.createRowCount(table), insert: await insertInto(tx, table, columns) }
      } else if ('rows' in mark) {
        const done: copies.CopiedTable | undefined = current?.count.result()
        if (!current || done?.rows !== mark.rows || done.digest !== mark.digest) throw new LoadError(DISORDER)
        tables.push({ ...done, columns: current.columns })
        current = null
      } else sequences = mark.sequences
    }
    await write(rows)
  }
  if (sequences === null || current !== null) throw new LoadError(DISORDER)
  return { tables, sequences }
}

const DISORDER = 'The copy is not whole: nothing is changed.'

type Insert = (rows: readonly string[]) => Promise<void>

async function insertInto(tx: Db, table: string, columns: readonly string[]): Promise<Insert> {
  const typeByColumn = new Map((await copies.columnsOf(tx, table)).map(({ name, type }) => [name, type]))
  const values = columns.map((name, index) => {
    const type = typeByColumn.get(name)
    if (type === undefined || !copies.allTables.includes(table))
      throw new LoadError(`This release does not know ${table}.${name}: nothing is changed.`)
    return sql`(line ->> ${sql.raw(String(index))})::${sql.raw(type)}`
  })
  const into = joinNames(columns)
  return async (rows) => {
    await tx.execute(sql`
      insert into ${sql.identifier(table)} (${into}) overriding system value
      select ${sql.join(values, sql`, `)} from json_array_elements(${`[${rows.join(',')}]`}::json) as line`)
  }
}

const highestSchema = z.object({ rows: z.array(z.object({ highest: z.coerce.number().nullable() })) })

/** No number that either database ever gave is given again. */
async function goOnCounting(tx: Db, there: Record<string, number>, here: Record<string, number>): Promise<void> {
  const [highest] = highestSchema.parse(
    await tx.execute(sql`select greatest((select max(id) from activity), 0) as highest`),
  ).rows
  const own: Record<string, number> = { activity_id_seq: highest?.highest ?? 0 }
  for (const name of new Set([...Object.keys(there), ...Object.keys(here), ...Object.keys(own)])) {
    const last = Math.max(there[name] ?? 0, here[name] ?? 0, own[name] ?? 0)
    if (last > 0)
      await tx.execute(
        sql`select setval(to_regclass(${`public.${name}`}), ${last}) where to_regclass(${`public.${name}`}) is not null`,
      )
  }
}

import 'server-only'
import { createHash } from 'node:crypto'
import { getTableName, is, sql } from 'drizzle-orm'
import { z } from 'zod'
import { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './database'
import * as accessSchema from './access-schema'
import * as workSchema from './schema'

/** `digest` is the same for the same rows in any order and database. */
export type CopiedTable = { table: string; rows: number; digest: string }

export const markSchema = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()).min(1) }),
  z.object({ rows: z.number(), digest: z.string() }),
  z.object({ sequences: z.record(z.string(), z.number()) }),
])

const ROWS_AT_ONCE = 1_000

/** Every row as a line of JSON with each column's text, which both databases write alike. Within one transaction. */
export async function* copyOf(tx: Db, tables: readonly string[]): AsyncGenerator<string[]> {
  for (const table of await inOrderOfReferences(tx, tables)) {
    const columns = await columnsOf(tx, table)
    yield [JSON.stringify({ table, columns: columns.map(({ name }) => name) })]
    const count = createRowCount(table)
    for await (const lines of rowsOf(tx, table, columns)) {
      for (const line of lines) count.add(line)
      yield lines
    }
    const { rows, digest } = count.result()
    yield [JSON.stringify({ rows, digest })]
  }
  yield [JSON.stringify({ sequences: await sequencesOf(tx) })]
}

export async function countRows(tx: Db, table: string, names?: readonly string[]): Promise<CopiedTable> {
  const known = await columnsOf(tx, table)
  const columns = names ? names.flatMap((name) => known.filter((column) => column.name === name)) : known
  const count = createRowCount(table)
  for await (const lines of rowsOf(tx, table, columns)) for (const line of lines) count.add(line)
  return count.result()
}

/** Sums the SHA-256 of all rows: their order differs between databases. */
export function createRowCount(table: string) {
  let [rows, sum] = [0, 0n]
  return {
    add(line: string): void {
      rows += 1
      sum = BigInt.asUintN(256, sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`))
    },
    result: (): CopiedTable => ({ table, rows, digest: sum.toString(16).padStart(64, '0') }),
  }
}

type Column = { name: string; type: string }
const columnsSchema = z.object({ rows: z.array(z.object({ name: z.string(), type: z.string() })) })

/** In order of creation, with their types; none for a missing table. */
export async function columnsOf(tx: Db, table: string): Promise<Column[]> {
  const found = await tx.execute(sql`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass(${`public.${quote(table)}`}) and attnum > 0 and not attisdropped order by attnum`)
  return columnsSchema.parse(found).rows
}

const linesSchema = z.object({ rows: z.array(z.object({ line: z.string() })) })

async function* rowsOf(tx: Db, table: string, columns: readonly Column[]): AsyncGenerator<string[]> {
  await tx.execute(sql`set local timezone = 'UTC'`)
  await tx.execute(sql`set local datestyle = 'ISO'`)
  const text = ({ name }: Column) => sql`${sql.identifier(name)}::text`
  const texts = sql.join(columns.map(text), sql`, `)
  await tx.execute(sql`
    declare copied no scroll cursor for
    select json_build_array(${texts})::text as line from ${sql.identifier(table)}`)
  for (;;) {
    const found = await tx.execute(sql.raw(`fetch forward ${ROWS_AT_ONCE} from copied`))
    const lines = linesSchema.parse(found).rows.map(({ line }) => line)
    if (lines.length > 0) yield lines
    if (lines.length < ROWS_AT_ONCE) break
  }
  await tx.execute(sql`close copied`)
}

const referencesSchema = z.object({ rows: z.array(z.object({ name: z.string(), needs: z.string() })) })

async function inOrderOfReferences(tx: Db, tables: readonly string[]): Promise<string[]> {
  const found = await tx.execute(sql`
    select conrelid::regclass::text as name, confrelid::regclass::text as needs
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`)
  const references = referencesSchema.parse(found).rows
  const ordered: string[] = []
  const put = (table: string) => {
    if (ordered.includes(table) || !tables.includes(table)) return
    for (const { name, needs } of references) if (name === table) put(needs)
    ordered.push(table)
  }
  for (const table of tables) put(table)
  return ordered
}

const sequencesSchema = z.object({ rows: z.array(z.object({ name: z.string(), last: z.coerce.number().nullable() })) })

export async function sequencesOf(tx: Db): Promise<Record<string, number>> {
  const found = await tx.execute(
    sql`select sequencename as name, last_value as last from pg_sequences where schemaname = 'public'`,
  )
  const given = sequencesSchema.parse(found).rows.flatMap(({ name, last }) => (last === null ? [] : [{ name, last }]))
  return Object.fromEntries(given.map(({ name, last }) => [name, last]))
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export const allTables: readonly string[] = Object.values({ ...workSchema, ...accessSchema })
  .flatMap((part) => (is(part, PgTable) ? [getTableName(part)] : []))
  .toSorted()

/** Tables that would restore access: ended sessions, links, tokens, forgotten browsers, and waiting times of sign-ins. */
const OPEN_DOORS = new Set('sessions invitations known_devices sign_in_attempts'.split(' '))

export const backedUpTables: readonly string[] = allTables.filter((name) => !OPEN_DOORS.has(name))

/** Kept by a restored database: requests already sent still count, and so do wrong passwords. */
export const TABLES_THAT_STAY: readonly string[] = ['upstream_requests', 'sign_in_attempts']

const FILLED_AT_FIRST: ReadonlySet<string> = new Set(['settings', 'reply_templates', ...TABLES_THAT_STAY])

export const tablesOfWork: readonly string[] = allTables.filter((name) => !FILLED_AT_FIRST.has(name))

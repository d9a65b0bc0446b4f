import 'server-only'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { type DataKeys, type Seal, sealPrefix } from '@/server/seal'
import type { Connect, Db } from './database'
import { type SealedColumn, sealedColumns } from './sealed-columns'

export type Resealing = {
  counts: { column: string; resealed: number }[]
  /** Texts that neither key opens, by column and id. They stay as they are. */
  unopened: string[]
  /** Texts under another key kept coming: an instance still seals with it. */
  isLeftBehind: boolean
}

type Options = {
  connect: Connect
  dataKeys: DataKeys
  seal: Seal
  /** Names made with the same key change together with the text. */
  alongside?: Readonly<Record<string, (db: Db, id: string, text: string) => Promise<Record<string, unknown>>>>
  columns?: readonly SealedColumn[]
}

const ROWS_PER_PART = 200
const MAX_ROUNDS = 5

/** While others write: a row that changed meanwhile waits for the next round. Can be repeated. */
export async function reseal(options: Options): Promise<Resealing> {
  const { connect, columns = sealedColumns } = options
  const db = await connect()
  const resealed = new Map(columns.map(({ name }) => [name, 0]))
  let unopened: string[] = []
  let isLeftBehind = true
  for (let round = 0; isLeftBehind && round < MAX_ROUNDS; round += 1) {
    unopened = []
    let found = 0
    for (const column of columns) {
      const part = await resealColumn(db, column, options)
      resealed.set(column.name, (resealed.get(column.name) ?? 0) + part.resealed)
      unopened.push(...part.unopened.map((id) => `${column.name} ${id}`))
      found += part.resealed + part.missed
    }
    isLeftBehind = found > 0
  }
  const counts = Array.from(resealed, ([column, count]) => ({ column, resealed: count }))
  return { counts, unopened, isLeftBehind }
}

async function resealColumn(db: Db, column: SealedColumn, { dataKeys, seal, alongside }: Options) {
  const { name, table, place, valuesFor } = column
  const done = { resealed: 0, missed: 0, unopened: Array.of<string>() }
  for await (const { id, sealed } of rowsUnderOtherKeys(db, column, sealPrefix(dataKeys.current))) {
    const text = seal.decrypt(sealed, place(id))
    if (text === null) {
      done.unopened.push(id)
      continue
    }
    const more = await alongside?.[name]?.(db, id, text)
    const changed = await db
      .update(table)
      .set({ ...valuesFor(seal.encrypt(text, place(id))), ...more })
      .where(and(eq(column.id, id), eq(column.sealed, sealed)))
      .returning({ id: column.id })
    if (changed.length > 0) done.resealed += 1
    else done.missed += 1
  }
  return done
}

async function* rowsUnderOtherKeys(db: Db, { table, id, sealed }: SealedColumn, prefix: string) {
  let last = ''
  for (;;) {
    const rows = await db
      .select({ id, sealed: sql<string>`${sealed}` })
      .from(table)
      .where(and(gt(id, last), sql`not starts_with(${sealed}, ${prefix})`))
      .orderBy(asc(id))
      .limit(ROWS_PER_PART)
    yield* rows
    last = rows.at(-1)?.id ?? last
    if (rows.length < ROWS_PER_PART) return
  }
}

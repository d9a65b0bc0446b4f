import 'server-only'
import { createHmac, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Answer } from '@/lib/contract/endpoints'
import {
  type ExportColumnName,
  exportColumnSchema,
  type ExportFormat,
  exportFormatSchema,
  type ExportHistoryQuery,
} from '@/lib/contract/export'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import { type Matching, matchingSchema } from '@/lib/contract/list-query'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { executeCommand } from '@/server/access/command'
import type { Exporter } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { exports } from '@/server/base/schema'
import { type DataKeys, deriveKey, type Seal } from '@/server/base/seal'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'

export type NewLogEntry = Pick<typeof exports.$inferSelect, 'list' | 'scope' | 'leadIds'> & {
  format: ExportFormat
  columns: ExportColumnName[]
  reason: ExportReason
}
type Ending = { id: string; state: 'finished' | 'broken'; written: number | null }

/** The process of such an export has died, or its reader has stalled: a stream lasts half an hour at most. */
const ABANDONED_MS = 60 * 60_000

export function createExportLog(services: Pick<Services, 'connect' | 'activity' | 'now' | 'seal'>) {
  const { connect, now, activity, seal } = services
  /** Ending an export is no command, because the user may have lost the permission meanwhile. */
  const endWhere = async (condition: SQL, { state, written }: Omit<Ending, 'id'>) => {
    const endedAt = new Date(now())
    const db = await connect()
    await db.transaction(async (tx) => {
      const ended = await tx
        .update(exports)
        .set({ state, written, endedAt })
        .where(and(eq(exports.state, 'started'), condition))
        .returning({ id: exports.id, userId: exports.userId })
      const entries = ended.map(({ id, userId }) => {
        return { userId, action: 'export-ended', details: { export: id, state, written } } as const
      })
      await activity.recordIn(tx, ...entries)
    })
  }
  return {
    /** The caller sends no byte before this has resolved. */
    async begin(viewer: Exporter, entry: NewLogEntry): Promise<string> {
      const id = randomUUID()
      const { leadIds, reason, scope, ...logged } = entry
      const count = leadIds.length
      // The ids are one JSON parameter, which is faster than an array of 75 000. Characters that PostgreSQL cannot store
      // are replaced, so that no id keeps an export out of the log.
      const storable = leadIds.map((leadId) => leadId.replaceAll('\0', '\ufffd').toWellFormed())
      const ids = sql`array(select json_array_elements_text(${JSON.stringify(storable)}::json))`
      const sealedReason = seal.encrypt(JSON.stringify(reason), sealContext.export(id))
      const row = { ...logged, id, userId: viewer.id, at: new Date(now()), scope, count, sealedReason, leadIds: ids }
      return executeCommand({ connect, activity }, viewer, 'leads:export', async (tx, log) => {
        await tx.insert(exports).values({ ...row, state: 'started' })
        await log({ action: 'export-started', details: { export: id, count, ...logged } })
        return id
      })
    },

    end: ({ id, ...ending }: Ending): Promise<void> => endWhere(eq(exports.id, id), ending),

    endAbandoned: (): Promise<void> =>
      endWhere(lt(exports.at, new Date(now() - ABANDONED_MS)), { state: 'broken', written: null }),

    async readHistory(viewer: Exporter, { before, limit }: ExportHistoryQuery): Promise<Answer<'GET /api/exports'>> {
      const db = await connect()
      const isOlder = before === undefined ? undefined : lt(exports.at, new Date(before))
      const { leadIds: _ids, userId: _user, scope: _scope, ...columns } = getTableColumns(exports)
      const rows = await db
        .select(columns)
        .from(exports)
        .where(and(eq(exports.userId, viewer.id), isOlder))
        .orderBy(desc(exports.at))
        .limit(limit + 1)
      const entries = rows.slice(0, limit).map(({ sealedReason, ...row }) => ({
        ...row,
        at: row.at.toISOString(),
        format: exportFormatSchema.catch('csv').parse(row.format),
        columns: row.columns.flatMap((column) => exportColumnSchema.safeParse(column).data ?? []),
        endedAt: row.endedAt?.toISOString() ?? null,
        ...(decryptReason({ id: row.id, sealedReason }, seal) ?? { purpose: '', matching: null, newOnly: false }),
      }))
      return { exports: entries, hasMore: rows.length > limit }
    },

    /** Finds the leads of the user's finished exports of one scope, back to the last full one; null if there is none. */
    async findPreviousExports(userId: string, scopes: readonly string[]) {
      const db = await connect()
      const isFinished = and(eq(exports.userId, userId), inArray(exports.scope, scopes), eq(exports.state, 'finished'))
      const { id, at, sealedReason } = exports
      const rows = await db.select({ id, at, sealedReason }).from(exports).where(isFinished).orderBy(desc(at))
      const [last] = rows
      if (last === undefined) return null
      const lastFullIndex = rows.findIndex((row) => decryptReason(row, seal)?.newOnly !== true)
      const countedIds = rows.slice(0, lastFullIndex === -1 ? rows.length : lastFullIndex + 1).map((row) => row.id)
      const leadIdRows = await db.select({ leadIds: exports.leadIds }).from(exports).where(inArray(id, countedIds))
      return { ids: new Set(leadIdRows.flatMap(({ leadIds }) => leadIds)), lastAt: last.at }
    },
  }
}

/** Purpose and filter may name a pupil, so they are stored encrypted. */
const reasonSchema = z.object({ purpose: z.string(), matching: matchingSchema.nullable(), newOnly: z.boolean() })
type ExportReason = z.infer<typeof reasonSchema>

/** Returns null if the text has another key. A filter that another release wrote is dropped. */
export function decryptReason(row: { id: string; sealedReason: string }, seal: Seal): ExportReason | null {
  const text = seal.decrypt(row.sealedReason, sealContext.export(row.id))
  const lenient = reasonSchema.extend({ matching: matchingSchema.nullable().catch(null) })
  return text === null ? null : (lenient.safeParse(JSON.parse(text)).data ?? null)
}

const EXPORTS_AT_ONCE = 5

/** Evaluates an expression for each export, a few at a time, because each may contain the ids of all leads. */
export function queryExports<T>(db: Db, kind: LeadKind | undefined, expression: SQL<T>) {
  const isOfKind = kind === undefined ? undefined : eq(exports.list, LISTS_BY_KIND[kind].list)
  const columns = { id: exports.id, result: expression }
  return readInBatches(EXPORTS_AT_ONCE, (after) =>
    db
      .select(columns)
      .from(exports)
      .where(and(gt(exports.id, after), isOfKind))
      .orderBy(asc(exports.id))
      .limit(EXPORTS_AT_ONCE),
  )
}

/** Reads all rows in batches, and pauses for the event loop in between. */
export async function* readInBatches<R extends { id: string }>(
  batchSize: number,
  readBatch: (after: string) => PromiseLike<R[]>,
) {
  for (let after = ''; ;) {
    const batch = await readBatch(after)
    yield* batch
    const last = batch.at(-1)
    if (last === undefined || batch.length < batchSize) return
    after = last.id
    await setImmediate()
  }
}

export async function findExportsOf(db: Db, kind: LeadKind, ids: readonly string[]) {
  const wantedIds = sql`(select array_agg(value) from json_array_elements_text(${JSON.stringify(ids)}::json))`
  const sharedIds = sql<string[]>`array(select unnest(${exports.leadIds}) intersect select unnest(${wantedIds}))`
  const holding = new Map<string, readonly string[]>()
  for await (const { id, result: answer } of queryExports(db, kind, sharedIds))
    if (answer.length > 0) holding.set(id, answer)
  return holding
}

type FilterTarget = { list: LeadList; matching?: Matching | null | undefined; format: ExportFormat }

/**
 * Makes the function that hashes list and filter, for "new since my last export". The order of choices does not matter. It
 * returns a hash for each key, the current one first.
 */
export function createFilterHash([current, ...previous]: DataKeys) {
  return ({ list, matching, format }: FilterTarget): [string, ...string[]] => {
    const filter = Object.entries(matching ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    const target = JSON.stringify([list, format === 'emails' ? 'emails' : 'file', matching ? filter : 'named'])
    const hash = (key: Uint8Array) =>
      createHmac('sha256', deriveKey(key, 'export scopes')).update(target).digest('base64url')
    return [hash(current), ...previous.map(hash)]
  }
}

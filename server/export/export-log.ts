import 'server-only'
import { createHmac, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Answer } from '@/lib/contract/endpoints'
import {
  type ExportColumnName,
  type ExportFormat,
  type ExportHistoryQuery,
  exportColumnSchema,
  exportFormatSchema,
} from '@/lib/contract/export'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import { type Matching, matchingSchema } from '@/lib/contract/list-query'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { executeCommand } from '@/server/access/command'
import type { Exporter } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { exports } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import { type DataKeys, deriveKey, listDataKeys, type Seal } from '@/server/base/seal'
import type { Services } from '@/server/base/services'

export type NewLogEntry = Pick<typeof exports.$inferSelect, 'list' | 'scope' | 'leadIds'> & {
  format: ExportFormat
  columns: ExportColumnName[]
  reason: ExportReason
}
type Ending = { id: string; state: 'finished' | 'broken'; written: number | null }

/** Its process has died, or its reader has stalled: `trackedStream` sends nothing for so long. */
const ABANDONED_MS = 60 * 60_000

export function createExportLog(services: Pick<Services, 'connect' | 'activity' | 'now' | 'seal'>) {
  const { connect, now, activity, seal } = services
  /** Not a command: the user may have lost the permission meanwhile. */
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
    /** No byte may be sent before. */
    async begin(viewer: Exporter, entry: NewLogEntry): Promise<string> {
      const id = randomUUID()
      const { leadIds, reason, scope, ...logged } = entry
      const count = leadIds.length
      // As one parameter, which is faster than an array of 75 000 members. An id that no database can store must not keep
      // the export out of the log.
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

    end: ({ id, ...how }: Ending): Promise<void> => endWhere(eq(exports.id, id), how),

    endAbandoned: (): Promise<void> =>
      endWhere(lt(exports.at, new Date(now() - ABANDONED_MS)), { state: 'broken', written: null }),

    async readHistory(viewer: Exporter, { before, limit }: ExportHistoryQuery): Promise<Answer<'GET /api/exports'>> {
      const db = await connect()
      const older = before === undefined ? undefined : lt(exports.at, new Date(before))
      const { leadIds: _ids, userId: _user, scope: _scope, ...columns } = getTableColumns(exports)
      const rows = await db
        .select(columns)
        .from(exports)
        .where(and(eq(exports.userId, viewer.id), older))
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

    /** The leads of the user's finished exports of one scope since the last full one. Null if there was none. */
    async findPreviousExports(userId: string, scopes: readonly string[]) {
      const db = await connect()
      const finished = and(eq(exports.userId, userId), inArray(exports.scope, scopes), eq(exports.state, 'finished'))
      const { id, at, sealedReason } = exports
      const rows = await db.select({ id, at, sealedReason }).from(exports).where(finished).orderBy(desc(at))
      const [last] = rows
      if (last === undefined) return null
      const lastWhole = rows.findIndex((row) => decryptReason(row, seal)?.newOnly !== true)
      const counted = rows.slice(0, lastWhole === -1 ? rows.length : lastWhole + 1).map((row) => row.id)
      const parts = await db.select({ leadIds: exports.leadIds }).from(exports).where(inArray(id, counted))
      return { ids: new Set(parts.flatMap(({ leadIds }) => leadIds)), lastAt: last.at }
    },
  }
}

/** Purpose and filter may name a pupil, so they are stored encrypted. */
const reasonSchema = z.object({ purpose: z.string(), matching: matchingSchema.nullable(), newOnly: z.boolean() })
type ExportReason = z.infer<typeof reasonSchema>

/** Null under another key. A filter of another release is dropped. */
export function decryptReason(row: { id: string; sealedReason: string }, seal: Seal): ExportReason | null {
  const text = seal.decrypt(row.sealedReason, sealContext.export(row.id))
  const lenient = reasonSchema.extend({ matching: matchingSchema.nullable().catch(null) })
  return text === null ? null : (lenient.safeParse(JSON.parse(text)).data ?? null)
}

const EXPORTS_AT_ONCE = 5

/** Each may contain all leads. */
export function queryExports<T>(db: Db, kind: LeadKind | undefined, expression: SQL<T>) {
  const ofKind = kind === undefined ? undefined : eq(exports.list, LISTS_BY_KIND[kind].list)
  const columns = { id: exports.id, result: expression }
  return readInBatches(EXPORTS_AT_ONCE, (after) =>
    db
      .select(columns)
      .from(exports)
      .where(and(gt(exports.id, after), ofKind))
      .orderBy(asc(exports.id))
      .limit(EXPORTS_AT_ONCE),
  )
}

/** Yields to other work between the parts. */
export async function* readInBatches<R extends { id: string }>(batchSize: number, readBatch: (after: string) => PromiseLike<R[]>) {
  for (let after = ''; ;) {
    const part = await readBatch(after)
    yield* part
    const last = part.at(-1)
    if (last === undefined || part.length < batchSize) return
    after = last.id
    await setImmediate()
  }
}

export async function findExportsOf(db: Db, kind: LeadKind, ids: readonly string[]) {
  const wanted = sql`(select array_agg(value) from json_array_elements_text(${JSON.stringify(ids)}::json))`
  const shared = sql<string[]>`array(select unnest(${exports.leadIds}) intersect select unnest(${wanted}))`
  const holding = new Map<string, readonly string[]>()
  for await (const { id, result: answer } of queryExports(db, kind, shared)) if (answer.length > 0) holding.set(id, answer)
  return holding
}

type FilterTarget = { list: LeadList; matching?: Matching | null | undefined; format: ExportFormat }

/**
 * Names list and filter by keyed hashes, for "new since my last export". The order of choices does not matter. The first is
 * of the current key, the other of the key before.
 */
export function createFilterHash(dataKeys: DataKeys) {
  const [current, ...previous] = listDataKeys(dataKeys)
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

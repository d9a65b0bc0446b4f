import { randomUUID } from 'node:crypto'
import { and, desc, eq, getTableColumns, inArray, lt, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Answer } from '@/lib/contract/endpoints'
import {
  type ExportColumnName,
  exportColumnSchema,
  type ExportFormat,
  exportFormatSchema,
  type ExportHistoryQuery,
} from '@/lib/contract/export'
import { matchingSchema } from '@/lib/contract/list-query'
import { HOUR_MS } from '@/lib/time/durations'
import { executeCommand } from '@/server/access/command'
import type { Exporter } from '@/server/access/viewer'
import { exports } from '@/server/base/schema'
import type { Seal } from '@/server/base/seal'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { toSqlArray } from './exported-leads'

export type NewLogEntry = Pick<typeof exports.$inferSelect, 'list' | 'scope' | 'leadIds'> & {
  format: ExportFormat
  columns: ExportColumnName[]
  reason: ExportReason
}
type Ending = { state: 'finished' | 'broken'; written: number | null }

/** A stream lasts half an hour at most, so after an hour the process has died. */
const ABANDONED_AFTER_MS = HOUR_MS

export function createExportLog(services: Pick<Services, 'connect' | 'activity' | 'now' | 'seal'>) {
  const { connect, now, activity, seal } = services
  /** Ending an export is no command, because the user may have lost the permission meanwhile. */
  const endWhere = async (condition: SQL, { state, written }: Ending) => {
    const endedAt = new Date(now())
    const db = await connect()
    await db.transaction(async (tx) => {
      const endedExports = await tx
        .update(exports)
        .set({ state, written, endedAt })
        .where(and(eq(exports.state, 'started'), condition))
        .returning({ id: exports.id, userId: exports.userId })
      const entries = endedExports.map(({ id, userId }) => {
        return { userId, action: 'export-ended', details: { export: id, state, written } } as const
      })
      await activity.recordIn(tx, ...entries)
    })
  }
  return {
    /** Resolves once the export is logged. The caller sends no byte of the file before. */
    async begin(viewer: Exporter, entry: NewLogEntry) {
      const id = randomUUID()
      const { leadIds, reason, scope, ...logged } = entry
      const count = leadIds.length
      const sealedReason = seal.encrypt(JSON.stringify(reason), sealContext.export(id))
      const row = { ...logged, id, userId: viewer.id, startedAt: new Date(now()), scope, count, sealedReason }
      return executeCommand({ connect, activity }, viewer, 'leads:export', async (tx, log) => {
        await tx.insert(exports).values({ ...row, state: 'started', leadIds: toSqlArray(leadIds) })
        await log({ action: 'export-started', details: { export: id, count, ...logged } })
        return id
      })
    },

    end: ({ id, ...ending }: Ending & { id: string }) => endWhere(eq(exports.id, id), ending),

    endAbandoned: () =>
      endWhere(lt(exports.startedAt, new Date(now() - ABANDONED_AFTER_MS)), { state: 'broken', written: null }),

    async readHistory(viewer: Exporter, { before, limit }: ExportHistoryQuery): Promise<Answer<'GET /api/exports'>> {
      const db = await connect()
      const olderCondition = before === undefined ? undefined : lt(exports.startedAt, new Date(before))
      const { leadIds: _ids, userId: _user, scope: _scope, endedAt: _endedAt, ...fields } = getTableColumns(exports)
      const rows = await db
        .select(fields)
        .from(exports)
        .where(and(eq(exports.userId, viewer.id), olderCondition))
        .orderBy(desc(exports.startedAt))
        .limit(limit + 1)
      const entries = rows.slice(0, limit).map(({ sealedReason, startedAt, ...row }) => ({
        ...row,
        at: startedAt.toISOString(),
        format: exportFormatSchema.catch('csv').parse(row.format),
        columns: row.columns.flatMap((column) => exportColumnSchema.safeParse(column).data ?? []),
        ...decryptReason({ id: row.id, sealedReason }, seal),
      }))
      return { exports: entries, hasMore: rows.length > limit }
    },

    /** Finds the leads of the user's finished exports of a scope, back to the last full one; null if there is none. */
    async findPreviousExports(userId: string, scope: string) {
      const db = await connect()
      const condition = and(eq(exports.userId, userId), eq(exports.scope, scope), eq(exports.state, 'finished'))
      const { id, startedAt, sealedReason, leadIds } = exports
      const summaryFields = { id, startedAt, sealedReason }
      const rows = await db.select(summaryFields).from(exports).where(condition).orderBy(desc(startedAt))
      const [lastExport] = rows
      if (lastExport === undefined) return null
      const exportIds: string[] = []
      for (const row of rows) {
        exportIds.push(row.id)
        if (!decryptReason(row, seal).newOnly) break
      }
      // Only now are the leads read, because older exports may have thousands.
      const leadRows = await db.select({ leadIds }).from(exports).where(inArray(id, exportIds))
      return { leadIds: new Set(leadRows.flatMap((row) => row.leadIds)), lastAt: lastExport.startedAt }
    },
  }
}

/** Purpose and filter may name a pupil, so they are stored encrypted. */
const reasonSchema = z.object({ purpose: z.string(), matching: matchingSchema.nullable(), newOnly: z.boolean() })
type ExportReason = z.infer<typeof reasonSchema>
/** A filter that another release wrote, and this one cannot read, is dropped. */
const storedReasonSchema = reasonSchema
  .extend({ matching: matchingSchema.nullable().catch(null) })
  .catch({ purpose: '', matching: null, newOnly: false })

/** The reason is empty if it was encrypted with another key. */
export function decryptReason(row: { id: string; sealedReason: string }, seal: Seal): ExportReason {
  return storedReasonSchema.parse(JSON.parse(seal.decrypt(row.sealedReason, sealContext.export(row.id)) ?? 'null'))
}

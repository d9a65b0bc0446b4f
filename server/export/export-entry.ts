import 'server-only'
import { exportColumnSchema, type ExportEntry, exportFormatSchema } from '@/lib/contract/export'
import type { exports } from '@/server/db/schema'
import type { Seal } from '@/server/secrets/seal'
import { openReason } from './export-reason'

type Row = Omit<typeof exports.$inferSelect, 'leadIds'>

/** An entry of the log as its owner may read it. */
export function toEntry(row: Row, seal: Seal): ExportEntry {
  const { id, at, list, count, written, state, endedAt } = row
  const reason = openReason(row, seal)
  return {
    id,
    at: at.toISOString(),
    list,
    format: exportFormatSchema.catch('csv').parse(row.format),
    columns: row.columns.flatMap((column) => exportColumnSchema.safeParse(column).data ?? []),
    count,
    written,
    state,
    endedAt: endedAt?.toISOString() ?? null,
    purpose: reason?.purpose ?? '',
    matching: reason?.matching ?? null,
    newOnly: reason?.newOnly ?? false,
  }
}

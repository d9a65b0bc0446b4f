import 'server-only'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type TriageColumns, triageColumns } from '@/lib/leads/triage-columns'
import type { TriageOf } from '@/lib/leads/triage-of'

export type KeptTriageColumns = {
  /** `changes` is the triage board's own count: another number, another content. */
  of: (table: LeadTable, triage: TriageOf, changes: number) => TriageColumns
}

/** Made once for everyone, until the list or its triage changes. */
export function createKeptTriageColumns(): KeptTriageColumns {
  const kept = new WeakMap<LeadTable, { changes: number; columns: TriageColumns }>()
  return {
    of: (table, triage, changes) => {
      const known = kept.get(table)
      if (known?.changes === changes) return known.columns
      const columns = triageColumns(table, triage)
      kept.set(table, { changes, columns })
      return columns
    },
  }
}

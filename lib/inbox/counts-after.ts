import type { Triage } from '@/lib/contract/lead'
import type { ListCounts } from '@/lib/contract/list-counts'

/** The numbers as they will be once these leads have another status; until the server has counted, the best there is. */
export function countsAfter(counts: ListCounts, before: readonly Triage[], change: Partial<Triage>): ListCounts {
  const { status } = change
  if (status === undefined) return counts
  const next = { ...counts.status }
  for (const { status: old } of before) {
    next[old] = Math.max(0, (next[old] ?? 0) - 1)
    next[status] = (next[status] ?? 0) + 1
  }
  return { ...counts, status: next }
}

import type { ExportEntry } from '@/lib/contract/export'

/** Of the entries (newest first), the last whole file of each list and filter: it is since then that something is new. */
export function newestOfEach(entries: readonly ExportEntry[]): ReadonlySet<string> {
  const newest = new Map<string, string>()
  for (const { id, list, matching, format, state } of entries) {
    if (matching === null || format === 'emails' || state !== 'finished') continue
    const filter = JSON.stringify([list, matching])
    if (!newest.has(filter)) newest.set(filter, id)
  }
  return new Set(newest.values())
}

import 'server-only'
import { createHash } from 'node:crypto'
import type { LeadTable } from '@/lib/leads/lead-table'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'

/** `triageVersion` counts the changes that the triage board has read; `otherList` is there if the value depends on it. */
export type Basis = { table: LeadTable; triageVersion: number; otherList?: LeadTable | null }

/** Caches values of a table until triage changes, for all callers with the same key. They end with the table. */
export function createTableCache<Value>(maxEntries: number) {
  type Entry = { triageVersion: number; otherTable: WeakRef<LeadTable>; value: Value }
  const byTable = new WeakMap<LeadTable, LruCache<Entry>>()
  return {
    getOrMake: (key: string, { table, triageVersion, otherList }: Basis, make: () => Value): Value => {
      const otherTable = otherList ?? table
      const entries = byTable.get(table) ?? createLruCache(maxEntries)
      byTable.set(table, entries)
      const keyHash = hashText(key)
      const found = entries.get(keyHash)
      if (found?.triageVersion === triageVersion && found.otherTable.deref() === otherTable) return found.value
      const value = make()
      entries.set(keyHash, { triageVersion, otherTable: new WeakRef(otherTable), value })
      return value
    },
    drop: (key: string, { table }: Basis): void => byTable.get(table)?.delete(hashText(key)),
  }
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

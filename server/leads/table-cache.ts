import { createHash } from 'node:crypto'
import type { LeadTable } from '@/lib/leads/lead-table'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'

/** The tables that a cached value is made from. */
export type Basis = { table: LeadTable; otherTable?: LeadTable | null }

/** Caches values of a table, for all callers with the same key, until the version changes. They end with the table. */
export function createTableCache<Value>(maxEntries: number, getVersion = () => 0) {
  type Entry = { version: number; otherTable: WeakRef<LeadTable>; value: Value }
  const byTable = new WeakMap<LeadTable, LruCache<Entry>>()
  return {
    getOrMake: (key: string, { table, otherTable }: Basis, make: () => Value): Value => {
      const other = otherTable ?? table
      const version = getVersion()
      const entries = byTable.get(table) ?? createLruCache(maxEntries)
      byTable.set(table, entries)
      const keyHash = hashText(key)
      const cached = entries.get(keyHash)
      if (cached?.version === version && cached.otherTable.deref() === other) return cached.value
      const value = make()
      entries.set(keyHash, { version, otherTable: new WeakRef(other), value })
      return value
    },
    drop: (key: string, { table }: Basis) => byTable.get(table)?.delete(hashText(key)),
  }
}

export function hashText(text: string) {
  return createHash('sha256').update(text).digest('base64url')
}

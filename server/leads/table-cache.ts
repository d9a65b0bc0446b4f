import type { LeadTable } from '@/lib/leads/lead-table'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'
import { hashText } from './hash-text'

/** The tables that a cached value is made from. */
export type SourceTables = { table: LeadTable; otherTable?: LeadTable | null }

/** Shares values made from a table among callers with the same key. A value ends with the version or a table. */
export function createTableCache<Value>(maxEntries: number, getVersion = () => 0) {
  type Entry = { version: number; otherTable: WeakRef<LeadTable>; value: Value }
  const cachesByTable = new WeakMap<LeadTable, LruCache<Entry>>()
  return {
    getOrMake: (key: string, { table, otherTable }: SourceTables, make: () => Value): Value => {
      const other = otherTable ?? table
      const version = getVersion()
      const entries = cachesByTable.get(table) ?? createLruCache(maxEntries)
      cachesByTable.set(table, entries)
      // A key may have a filter of any length.
      const keyHash = hashText(key)
      const cached = entries.get(keyHash)
      if (cached?.version === version && cached.otherTable.deref() === other) return cached.value
      const value = make()
      entries.set(keyHash, { version, otherTable: new WeakRef(other), value })
      return value
    },
    drop: (key: string, { table }: SourceTables) => cachesByTable.get(table)?.delete(hashText(key)),
  }
}

import { getOrCreate } from '@/lib/get-or-create'
import type { LeadTable } from '@/lib/leads/lead-table'
import { createLruCache, type LruCache } from '@/server/base/lru-cache'
import { hashText } from './hash-text'

/** The tables that a cached value is made from. */
export type SourceTables = { table: LeadTable; otherTable?: LeadTable | null }

/** Shares values among callers with the same key. A value is made anew once the version or one of its tables changes. */
export function createTableCache<Value>(maxEntries: number, getVersion = () => 0) {
  type Entry = { version: number; otherTable: WeakRef<LeadTable>; value: Value }
  const cachesByTable = new WeakMap<LeadTable, LruCache<Entry>>()
  return {
    getOrMake: (key: string, { table, otherTable }: SourceTables, make: () => Value): Value => {
      // A value of one table refers to it twice, because a `WeakRef` needs an object.
      const other = otherTable ?? table
      const version = getVersion()
      const entries = getOrCreate(cachesByTable, table, () => createLruCache<Entry>(maxEntries))
      // The cache has hashes, because a key may have a filter of any length.
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

import 'server-only'
import type { LeadTable } from '@/lib/leads/lead-table'

/** What an answer is made from; `triage` is the number of changes that the triage board has seen. */
export type Basis = { table: LeadTable; triage: number }

export type Shared<Value> = {
  /** What `make` gives, made anew only when the basis under this key is another one. */
  of: (key: string, basis: Basis, make: () => Value) => Value
  drop: (key: string) => void
}

/** What is worked out once for all who see the same and ask for the same, until leads or triage are others. */
export function createShared<Value>(most: number): Shared<Value> {
  const recent = createRecent<{ basis: Basis; value: Value }>(most)
  return {
    of: (key, basis, make) => {
      const found = recent.get(key)
      if (found?.basis.table === basis.table && found.basis.triage === basis.triage) return found.value
      const value = make()
      recent.set(key, { basis, value })
      return value
    },
    drop: recent.drop,
  }
}

/** What was used last, by its key; the others go when there are more than `most`. */
export function createRecent<Value>(most: number) {
  const values = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      values.set(key, value)
      return value
    },
    set: (key: string, value: Value): void => {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > most && oldest !== undefined) values.delete(oldest)
    },
    drop: (key: string): void => void values.delete(key),
  }
}

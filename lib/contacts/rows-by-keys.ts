import type { LeadTable } from '@/lib/leads/lead-table'
import { contactGroups } from './contact-groups'
import { NO_KEY } from './contact-key'

export type Keys = { email: ReadonlySet<number>; phone: ReadonlySet<number> }
export type RowsInReach = { table: LeadTable; rows: Uint32Array }

const MOST_ROUNDS = 8

/**
 * The rows of each table whose keys are among the given ones, or shared with such a row, and so on. A round looks at every row
 * once; a chain that goes on and on is left to `contactGroups`, whose cost does not grow with it.
 */
export function rowsByKeys(tables: readonly RowsInReach[], anchor: Keys): Uint32Array[] {
  const keys = { email: new Set(anchor.email), phone: new Set(anchor.phone) }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = tables.map(({ table, rows }) => rows.filter(holder(table, keys)))
    const before = keys.email.size + keys.phone.size
    found.forEach((rows, index) => {
      for (const row of rows) {
        keys.email.add(tables[index]?.table.emailKey[row] ?? NO_KEY)
        keys.phone.add(tables[index]?.table.phoneKey[row] ?? NO_KEY)
      }
    })
    keys.email.delete(NO_KEY)
    keys.phone.delete(NO_KEY)
    if (keys.email.size + keys.phone.size === before) return found
  }
  return rowsOfGroups(tables, anchor)
}

function rowsOfGroups(tables: readonly RowsInReach[], anchor: Keys): Uint32Array[] {
  const { groups } = contactGroups(
    tables.map(({ table, rows }) => ({ rows, emailKey: table.emailKey, phoneKey: table.phoneKey })),
  )
  const wanted = new Set<number>()
  tables.forEach(({ table, rows }, index) => {
    const isHolder = holder(table, anchor)
    rows.forEach((row, at) => isHolder(row) && wanted.add(groups[index]?.[at] ?? -1))
  })
  return tables.map(({ rows }, index) => rows.filter((_, at) => wanted.has(groups[index]?.[at] ?? -1)))
}

const SIEVE_BITS = 15

/** Whether a row has one of the keys. Nearly all have not, and a few bits of theirs tell so at once. */
function holder({ emailKey, phoneKey }: LeadTable, keys: Keys): (row: number) => boolean {
  const [mayBeEmail, mayBePhone] = [sieveOf(keys.email), sieveOf(keys.phone)]
  return (row) => {
    const [email, phone] = [emailKey[row] ?? NO_KEY, phoneKey[row] ?? NO_KEY]
    return (
      (mayBeEmail[lowBits(email)] === 1 && keys.email.has(email)) ||
      (mayBePhone[lowBits(phone)] === 1 && keys.phone.has(phone))
    )
  }
}

function sieveOf(keys: Iterable<number>): Uint8Array {
  const sieve = new Uint8Array(2 ** SIEVE_BITS)
  for (const key of keys) sieve[lowBits(key)] = 1
  return sieve
}

function lowBits(key: number): number {
  return key & (2 ** SIEVE_BITS - 1)
}

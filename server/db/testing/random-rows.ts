import 'server-only'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Db } from '@/server/db/database'
import { allTables, columnsOf } from '@/server/db/table-copy'

const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  'users.role': ['staff', 'manager', 'admin'],
  'triage.status': ['new', 'in-progress', 'handled', 'dismissed'],
  'exports.state': ['started', 'finished', 'broken'],
  'jobs.state': ['running', 'finished', 'stopped'],
  'batches.state': ['changing', 'undoing', 'finished', 'taken-back', 'stopped'],
  'attempts.outcome': ['sent', 'talked', 'no-answer', 'call-again', 'unsure'],
  'mails.state': ['sending', 'unsure', 'sent'],
}
const PERSONS = /^(user_id|owner_id|author_id|assignee_id|updated_by|created_by)$/
const UNIQUE =
  /^(id|email|token_hash|key|lead_id|hour|list|name|code_hash|subject|number|revision|sent_key|display_name)$/

export async function fillAtRandom(db: Db, seed: number, rowsEach = 12): Promise<number> {
  let serial = 0
  const users = Array.from({ length: rowsEach }, (_, index) => `user ${index}`)
  const sample = <T>(arbitrary: fc.Arbitrary<T>): T => {
    const [value] = fc.sample(arbitrary, { numRuns: 1, seed: seed + (serial += 1) })
    if (value === undefined) throw new Error('no value')
    return value
  }
  // PostgreSQL holds no NUL.
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replaceAll('\0', '') + '\\"\n\t{}å')
  const valueOf = (table: string, name: string, type: string, row: number): unknown => {
    const choice = ONE_OF[`${table}.${name}`]
    if (choice) return sample(fc.constantFrom(...choice))
    if (table === 'users' && name === 'id') return users[row]
    if (name === 'note_id' || (table === 'notes' && name === 'id')) return `note ${seed} ${row}`
    if (PERSONS.test(name)) return users[row % users.length]
    if (type === 'timestamp with time zone')
      return UNIQUE.test(name) ? `2026-01-01T00:00:${10 + row}.000${100 + row}Z` : sample(moments)
    if (UNIQUE.test(name)) return /int/.test(type) ? seed * 1000 + row : `${name} ${seed} ${row}`
    if (type === 'boolean') return sample(fc.boolean())
    if (type === 'integer') return sample(fc.integer())
    if (type === 'bigint') return sample(fc.maxSafeInteger())
    if (type === 'jsonb' || type === 'json') return JSON.stringify(sample(jsonOf))
    if (type === 'text[]') return sample(fc.array(text))
    return sample(text)
  }
  await db.execute(sql`delete from settings`)
  const first = ['users', 'notes']
  for (const table of [...first, ...allTables.filter((name) => !first.includes(name))]) {
    const columns = await columnsOf(db, table)
    const rows = Array.from({ length: rowsEach }, (_, row) => {
      const values = columns.map(({ name, type }) => {
        const value = valueOf(table, name, type, row)
        return Array.isArray(value) ? sql`${sql.param(value)}::text[]` : sql`${value}::${sql.raw(type)}`
      })
      return sql`(${sql.join(values, sql`, `)})`
    })
    await db.execute(sql`
      insert into ${sql.identifier(table)} overriding system value values ${sql.join(rows, sql`, `)}`)
  }
  return allTables.length * rowsEach
}

const moments = fc
  .tuple(fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }), fc.nat(999))
  .map(([date, micro]) => date.toISOString().replace('Z', `${String(micro).padStart(3, '0')}Z`))
const jsonOf = fc.jsonValue({ maxDepth: 3 }).map((value) => withoutNul(value))

function withoutNul(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '').replaceAll('-0', '0'))
}

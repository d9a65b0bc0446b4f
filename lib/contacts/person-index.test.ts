import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reachable } from '@/lib/contacts/testing/reachable'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import { emailKey, keyOf, NO_KEY } from './contact-key'
import { rowsOfContact, rowsWithKey } from './person-index'

type Person = { email: string | null; phone: string | null }

const keys = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2 ** 53 - 1 }))

test('each key leads to its rows in the order of the table, as if one looked at every row', () => {
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 200 }), keys, (all, absent) => {
      const column = Float64Array.from(all)
      for (const key of [...all, absent]) {
        const looked = key === 0 ? [] : all.flatMap((other, row) => (other === key ? [row] : []))
        expect([...rowsWithKey(column, key)]).toEqual(looked)
      }
    }),
  )
})

const tableOf = (people: Person[]) =>
  leadTableOf(
    'declaration-of-interest',
    people.map((one, at) =>
      declaration(`d${at}`, { ...one, createdAt: new Date(1_700_000_000_000 - at).toISOString() }),
    ),
  )

test('those who share something are found through chains', () => {
  const detail = fc.option(fc.integer({ min: 0, max: 20 }).map((n) => `x${n}@example.se`))
  fc.assert(
    fc.property(fc.array(fc.record({ email: detail, phone: detail }), { minLength: 1, maxLength: 40 }), (people) => {
      const table = tableOf(people)
      const all = Uint32Array.from(people, (_, row) => row)
      const first = people[0]?.email ?? null
      const [rows] = rowsOfContact([{ table, rows: all }], 'emailKey', emailKey(first))
      const anchors = people.flatMap(({ email }, at) => (email !== null && email === first ? [at] : []))
      expect(new Set(rows)).toEqual(reachable(people, anchors))
    }),
  )
})

test('a chain of a thousand is followed to its end, and not beyond a lead out of scope', () => {
  const people = Array.from({ length: 1_000 }, (_, index) => {
    const phone = `+4670${1_000_000 + Math.floor(index / 2)}`
    return { email: `e${Math.ceil(index / 2)}@example.se`, phone }
  })
  const table = tableOf(people)
  const found = (rows: Uint32Array) => rowsOfContact([{ table, rows }], 'emailKey', emailKey('e0@example.se'))[0]
  const all = Uint32Array.from(people.keys())
  expect(found(all)).toEqual(all)
  expect(found(all.filter((row) => row !== 500))).toEqual(all.subarray(0, 500))
})

test('keys differ for a hundred thousand texts that differ little', () => {
  const different = new Set(Array.from({ length: 100_000 }, (_, index) => keyOf(`pupil${index}@example.se`, 1)))
  expect(different.size).toBe(100_000)
  expect([...different].every((key) => Number.isSafeInteger(key) && key !== NO_KEY)).toBe(true)
})

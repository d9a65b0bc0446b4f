import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reachable } from '@/lib/contacts/testing/reachable'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import { hashEmail, hashToNumber, NO_KEY } from './contact-key'
import { findContactLeads, type Traces } from './contact-leads'
import { findContactRows, findRowsWithKey } from './person-index'

type Person = { email: string | null; phone: string | null }

const keys = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2 ** 53 - 1 }))

test('each key leads to its rows in the order of the table, as if one looked at every row', () => {
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 200 }), keys, (all, absent) => {
      const column = Float64Array.from(all)
      for (const key of [...all, absent]) {
        const looked = key === 0 ? [] : all.flatMap((other, row) => (other === key ? [row] : []))
        expect([...findRowsWithKey(column, key)]).toEqual(looked)
      }
    }),
  )
})

const tableOf = (people: Person[]) =>
  leadTableOf(
    'declaration-of-interest',
    people.map((person, index) =>
      declaration(`d${index}`, { ...person, createdAt: new Date(1_700_000_000_000 - index).toISOString() }),
    ),
  )

test('the leads of a contact, and their rows, are the transitive closure of sharing, whatever the people', () => {
  const detail = fc.option(fc.integer({ min: 0, max: 12 }).map((number) => `x${number}@example.se`))
  fc.assert(
    fc.property(fc.array(fc.record({ email: detail, phone: detail }), { minLength: 1, maxLength: 40 }), (people) => {
      const email = people[0]?.email ?? null
      const anchors = people.flatMap((person, index) => (email !== null && email === person.email ? [index] : []))
      const expected = reachable(people, anchors)
      const rows = Uint32Array.from(people.keys())
      expect(new Set(findContactRows([{ table: tableOf(people), rows }], 'emailKey', hashEmail(email))[0])).toEqual(
        expected,
      )
      const found = findContactLeads(people.map(traces), { traceKind: 'email', anchors })
      expect(new Set(found.keys())).toEqual(expected)
      expect(anchors.every((index) => found.get(index)?.by === 'anchor')).toBe(true)
    }),
  )
})

test('a chain of a thousand is followed to its end, and not beyond a lead out of scope', () => {
  const people = Array.from({ length: 1_000 }, (_, index) => {
    const phone = `+4670${1_000_000 + Math.floor(index / 2)}`
    return { email: `e${Math.ceil(index / 2)}@example.se`, phone }
  })
  const table = tableOf(people)
  const found = (rows: Uint32Array) => findContactRows([{ table, rows }], 'emailKey', hashEmail('e0@example.se'))[0]
  const all = Uint32Array.from(people.keys())
  expect(found(all)).toEqual(all)
  expect(found(all.filter((row) => row !== 500))).toEqual(all.subarray(0, 500))
})

test('keys differ for a hundred thousand texts that differ little', () => {
  const different = new Set(Array.from({ length: 100_000 }, (_, index) => hashToNumber(`pupil${index}@example.se`, 1)))
  expect(different.size).toBe(100_000)
  expect([...different].every((key) => Number.isSafeInteger(key) && key !== NO_KEY)).toBe(true)
})

const traces = (fields: Partial<Traces>): Traces => ({ email: null, phone: null, name: null, createdAt: 0, ...fields })
const byEmail = (candidates: Partial<Traces>[], anchors = [0]) =>
  Object.fromEntries(findContactLeads(candidates.map(traces), { traceKind: 'email', anchors }))

test('the leads of a contact say why they belong, and siblings at a parent’s address are told apart by name', () => {
  const asa = { email: 'a', phone: '1', name: 'asa oberg', createdAt: 1 }
  expect(byEmail([asa, { phone: '1', name: 'erik oberg' }, { email: 'a' }, { email: 'b' }])).toEqual({
    0: { by: 'anchor', sameName: true },
    1: { by: 'same-phone', sameName: false },
    2: { by: 'anchor', sameName: null },
  })
  const siblings = ['elsa ek', 'maja ek'].map((name, createdAt) => ({ email: 'a', name, createdAt }))
  expect(byEmail(siblings, [0, 1])).toMatchObject({ 0: { sameName: false }, 1: { sameName: true } })
})

test('leads are never joined by a forged key: the texts count, and who was there first is meant', () => {
  const forged = [
    { email: 'forger', createdAt: 2 },
    { email: 'victim', createdAt: 1 },
  ]
  expect(Object.keys(byEmail(forged, [0, 1]))).toEqual(['1'])
})

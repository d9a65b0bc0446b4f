import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Sort, sortSchema } from '@/lib/contract/list-query'
import { compareKeys, swedishSortKey } from './comparable-text'
import { findPosition, selectPage } from './select-page'
import { leadTableOf } from './testing/lead-table-of'
import { declaration } from './testing/leads'

const schoolNames: Record<string, string> = { a: 'Östra', b: 'Norra', c: 'Ådalen' }
const schoolSortKey = (id: string) => swedishSortKey(schoolNames[id] ?? id)

const declarationOf = fc.record({
  firstName: fc.constantFrom('Åsa', 'Anna', 'Ärlig', 'Örjan', 'erik', 'Zara'),
  school: fc.constantFrom('a', 'b', 'c', 'unlisted'),
  year: fc.option(fc.integer({ min: 2024, max: 2029 })),
  at: fc.integer({ min: 0, max: 50 }),
})
const declarations = fc
  .array(declarationOf, { maxLength: 400 })
  .map((all) => all.map(({ firstName, school, year, at }, id) => named(`${id}`, at, firstName, school, year)))

function named(id: string, at: number, firstName: string, school: string, year: number | null) {
  return declaration(id, { school, createdAt: new Date(at).toISOString(), firstName, highSchoolEnrollmentYear: year })
}

test('the pages of any order put together are a full sort, and each lead has its place where they have it', () => {
  const anySort = fc.constantFrom(...sortSchema.options)
  fc.assert(
    fc.property(declarations, anySort, fc.integer({ min: 1, max: 60 }), (leads, sort, limit) => {
      const table = leadTableOf('declaration-of-interest', leads)
      const rows = Uint32Array.from(leads.keys()).filter((row) => row % 3 !== 0)
      const paged: number[] = []
      for (let offset = 0; offset < rows.length; offset += limit)
        paged.push(...selectPage(table, rows, { sort, offset, limit, schoolSortKey }))
      expect(paged).toEqual(selectPage(table, rows, { sort, offset: 0, limit: 400, schoolSortKey }))
      expect(paged.toSorted((a, b) => a - b)).toEqual([...rows])
      const places = paged.map((row) => findPosition(table, rows, row, { sort, schoolSortKey }))
      expect(places).toEqual([...paged.keys()])
      expect(findPosition(table, rows, 0, { sort, schoolSortKey }), 'not selected').toBeNull()
      expect(findPosition(table, rows, -1, { sort, schoolSortKey }), 'no such lead').toBeNull()
    }),
    { numRuns: 60 },
  )
})

test('names are in the order of their sort keys, whatever letters they have', () => {
  const letters = fc.constantFrom(...'abzåäöþЖ\u{e000}\u{e003}\u{ffee}𝒜 -')
  const name = fc.string({ unit: letters, maxLength: 8 })
  fc.assert(
    fc.property(fc.array(name, { maxLength: 60 }), (names) => {
      const table = leadTableOf(
        'declaration-of-interest',
        names.map((firstName, id) => named(`${id}`, 0, firstName, 'a', null)),
      )
      const rows = Uint32Array.from({ length: table.size }, (_, row) => row)
      const keyOf = (row: number) => table.sortName[row] ?? ''
      const expected = [...rows].sort((a, b) => compareKeys(keyOf(a), keyOf(b)) || a - b)
      expect(selectPage(table, rows, { sort: 'name', offset: 0, limit: rows.length, schoolSortKey })).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

test('orders by time, name, school and year, Swedish letters last, leads without a year at the end', () => {
  const table = leadTableOf('declaration-of-interest', [
    named('1', 4, 'Örjan', 'a', 2028),
    named('2', 3, 'Zara', 'b', null),
    named('3', 2, 'Åsa', 'c', 2027),
    named('4', 1, 'anna', 'b', 2028),
  ])
  const rows = Uint32Array.of(0, 1, 2, 3)
  const order = (sort: Sort) =>
    selectPage(table, rows, { sort, offset: 0, limit: 10, schoolSortKey }).map((row) => table.id[row])
  const orders = { '-createdAt': '1234', createdAt: '4321', name: '4231', school: '2431', year: '3142' } as const
  for (const [sort, ids] of Object.entries(orders)) expect(order(sort as Sort).join('')).toBe(ids)
})

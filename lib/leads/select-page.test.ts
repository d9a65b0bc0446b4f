import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Sort, sortSchema } from '@/lib/contract/list-query'
import { findPosition, selectPage } from './select-page'
import { toSwedishSortKey } from './swedish-sort-key'
import { leadTableOf } from './testing/lead-table-of'
import { declaration } from './testing/leads'

const schoolNames: Record<string, string> = { a: 'Östra', b: 'Norra', c: 'Ådalen' }
const schoolSortKey = (id: string) => toSwedishSortKey(schoolNames[id] ?? id)

const anyName = fc.oneof(
  fc.constantFrom('Åsa', 'Ärlig', 'Örjan', 'erik', 'Zara', 'Annabella', 'Annabelle'),
  fc.string({ unit: fc.constantFrom(...'abzåЖЯ\u{e003}\u{ffee}𝒜 -'), maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...'aЖЯ'), maxLength: 3 }),
)
const anyLead = fc.record({
  firstName: anyName,
  school: fc.constantFrom('a', 'b', 'c', 'unlisted'),
  highSchoolEnrollmentYear: fc.option(fc.integer({ min: 2024, max: 2029 })),
  at: fc.integer({ min: 0, max: 50 }),
})

test('the pages of any order put together are a full sort, and each lead has its place where they have it', () => {
  const anySort = fc.constantFrom('name' as const, undefined, ...sortSchema.options)
  const leads = fc.array(anyLead, { maxLength: 400 })
  fc.assert(
    fc.property(leads, anySort, fc.integer({ min: 1, max: 60 }), (given, sort, limit) => {
      const declarations = given.map(({ at, ...fields }, id) =>
        declaration(`${id}`, { ...fields, createdAt: new Date(at).toISOString() }),
      )
      const table = leadTableOf('declaration-of-interest', declarations)
      const rows = Uint32Array.from(given.keys()).filter((row) => row % 3 !== 0)
      const isWaiting = (row: number) => row % 2 === 0
      const sortKeys: Record<Sort, (row: number) => string | number> = {
        '-createdAt': (row) => row,
        createdAt: (row) => -row,
        waiting: (row) => (isWaiting(row) ? (table.createdAt[row] ?? 0) : Infinity),
        year: (row) => table.getLead(row).user.highSchoolEnrollmentYear ?? Infinity,
        name: (row) => table.sortName[row] ?? '',
        school: (row) => schoolSortKey(table.getLead(row).highSchoolId),
      }
      const toKey = sortKeys[sort ?? '-createdAt']
      const compare = (a: number, b: number) => (toKey(a) < toKey(b) ? -1 : Number(toKey(a) > toKey(b)) || a - b)
      const order = { sort, schoolSortKey, isWaiting }
      const pages: number[] = []
      for (let offset = 0; offset <= rows.length; offset += limit)
        pages.push(...selectPage(table, rows, { ...order, offset, limit }))
      expect(pages).toEqual([...rows].toSorted(compare))
      expect(pages.map((row) => findPosition(table, rows, row, order))).toEqual([...pages.keys()])
      expect(
        [0, -1].map((row) => findPosition(table, rows, row, order)),
        'not selected, no such lead',
      ).toEqual([null, null])
    }),
    { numRuns: 600 },
  )
})

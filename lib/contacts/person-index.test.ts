import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowsByKey } from './person-index'

const keys = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2 ** 53 - 1 }))

test('each key leads to its rows in the order of the table, as if one looked at every row', () => {
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 200 }), keys, (all, absent) => {
      const column = Float64Array.from(all)
      const rowsOf = rowsByKey(column)
      for (const key of [...all, absent]) {
        const looked = key === 0 ? [] : all.flatMap((other, row) => (other === key ? [row] : []))
        expect([...rowsOf(key)]).toEqual(looked)
      }
    }),
  )
})

test('is made once for a column', () => {
  const column = Float64Array.of(1, 2, 1)
  expect(rowsByKey(column)).toBe(rowsByKey(column))
})

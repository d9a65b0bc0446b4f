import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeUtf8 } from '@/lib/leads/search-texts'
import { searchedIn } from '@/lib/leads/testing/lead-table-of'
import { compact, createTextStore, createTextWriter, type TextStore } from './text-store'

const anyEntry = fc.tuple(fc.string({ maxLength: 8 }), fc.array(fc.nat(255), { maxLength: 3 }))

function written(store: TextStore, entries: readonly (readonly [string, readonly number[]])[]): Uint32Array {
  const write = createTextWriter(store)
  return Uint32Array.from(entries, ([text, marks]) => write(encodeUtf8(text), marks))
}

const contentOf = (texts: TextStore, text: Uint32Array) => searchedIn({ text, texts })

test('what is added stays what it is, however much comes after; the same again takes no room', () => {
  fc.assert(
    fc.property(fc.array(anyEntry), fc.array(anyEntry), (first, second) => {
      const store = createTextStore()
      const [before, again] = [written(store, first), written(store, second)]
      const expected = (entries: typeof first) => entries.map(([text, marks]) => ({ text, marks }))
      expect(contentOf(store, before)).toEqual(expected(first))
      store.trim()
      expect(contentOf(store, again)).toEqual(expected(second))
      const distinct = (entries: typeof first) => new Set(entries.map((entry) => JSON.stringify(entry))).size
      expect(store.count, 'and the empty text').toBe(1 + distinct(first) + distinct(second))
    }),
  )
})

test('a list that is refreshed for ever keeps about what its leads have', () => {
  let store = createTextStore()
  const entries = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => [`${name} ${at}`, [at % 100]] as const)
  let rows = written(store, entries(5_000, 'lead'))
  store.trim()
  const first = store
  for (let refresh = 0; refresh < 100; refresh++) {
    ;({ store, rows } = compact(store, rows))
    const expected = contentOf(store, rows)
    const added = written(store, entries(200, `new ${refresh}`))
    expect(contentOf(store, rows)).toEqual(expected)
    rows = Uint32Array.of(...added, ...rows.subarray(0, 4_800))
  }
  expect(store).not.toBe(first)
  expect(store.count).toBeLessThan(5_000 * 1.25 + 1_200)
  expect(first.count).toBeLessThan(5_000 * 1.25 + 1_200)
  expect(contentOf(store, rows)[0]?.text).toBe('new 99 0')
  expect(contentOf(store, rows)[4_999]?.text).toBe('new 75 199')
})

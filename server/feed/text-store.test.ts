import { expect, test } from 'vitest'
import { encodeUtf8 } from '@/lib/leads/search-texts'
import { searchedIn } from '@/lib/leads/testing/lead-table-of'
import { compact, createTextStore, createTextWriter, type TextStore, trimTexts } from './text-store'

function written(store: TextStore, texts: readonly string[]): Uint32Array {
  const write = createTextWriter(store)
  return Uint32Array.from(texts, (text) => write(encodeUtf8(text)))
}

const contentOf = (texts: TextStore, textIndex: Uint32Array) => searchedIn({ textIndex, texts })

test('a list that is refreshed for ever keeps about what its leads have, and the same text takes no room twice', () => {
  let store = createTextStore()
  const entries = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name} ${at}`)
  let rows = written(store, entries(5_000, 'lead'))
  trimTexts(store)
  const first = store
  for (let refresh = 0; refresh < 100; refresh++) {
    ;({ store, textIndexes: rows } = compact(store, rows))
    const expected = contentOf(store, rows)
    const more = entries(200, `new ${refresh}`)
    const twice = written(store, [...more, ...more])
    const added = twice.subarray(0, 200)
    expect(twice.subarray(200)).toEqual(added)
    expect(contentOf(store, rows)).toEqual(expected)
    rows = Uint32Array.of(...added, ...rows.subarray(0, 4_800))
  }
  expect(store).not.toBe(first)
  expect(store.count).toBeLessThan(5_000 * 1.25 + 1_200)
  expect(first.count).toBeLessThan(5_000 * 1.25 + 1_200)
  expect(contentOf(store, rows)[0]).toBe('new 99 0')
  expect(contentOf(store, rows)[4_999]).toBe('new 75 199')
})

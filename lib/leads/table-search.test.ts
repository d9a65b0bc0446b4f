import { expect, test } from 'vitest'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import { searchTextsOf } from './testing/search-texts-of'
import { tableSearch } from './table-search'

const table = {
  ...leadTableOf('declaration-of-interest', [declaration('a'), declaration('b')]),
  texts: searchTextsOf(['asa oberg', 'erik lind']),
}
const rows = [0, 1]

test('a search answers the same when it is asked again, also after many others', () => {
  const found = (query: string) => rows.map((row) => tableSearch(table, query)?.matches(row))
  expect(found('berg')).toEqual([true, false])
  expect(found('berg')).toEqual([true, false])
  for (let other = 0; other < 20; other++) expect(found(`zzqq${other}`)).toEqual([false, false])
  expect(found('berg')).toEqual([true, false])
})

test('what one table was found to have says nothing of the next', () => {
  const next = { ...table, texts: searchTextsOf(['quite another', 'quite another']) }
  expect(tableSearch(table, 'quite')?.matches(0)).toBe(false)
  expect(tableSearch(next, 'quite')?.matches(0)).toBe(true)
  expect(tableSearch(next, 'uite')?.beginsWords(0)).toBe(false)
})

test('leads with the same text are found alike', () => {
  const alike = { ...table, text: Uint32Array.of(1, 1) }
  const search = tableSearch(alike, 'lin')
  expect(rows.map((row) => [search?.matches(row), search?.beginsWords(row)])).toEqual([
    [true, true],
    [true, true],
  ])
})

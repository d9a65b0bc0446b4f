import { expect, test } from 'vitest'
import { tableSearch } from './table-search'
import { leadTableOf, searchTextsOf } from './testing/lead-table-of'
import { declaration } from './testing/leads'

const table = {
  ...leadTableOf('declaration-of-interest', [declaration('a'), declaration('b')]),
  text: Uint32Array.of(0, 1),
  texts: searchTextsOf(['asa oberg', 'erik lind']),
}

test('a search answers the same when it is asked again, also after many others', () => {
  const found = (query: string) => [0, 1].map((row) => tableSearch(table, query)?.matches(row))
  for (let times = 0; times < 2; times++) expect(found('berg')).toEqual([true, false])
  for (let other = 0; other < 20; other++) expect(found(`zzqq${other}`)).toEqual([false, false])
  expect(found('berg')).toEqual([true, false])
})

test('what one table was found to have says nothing of the next', () => {
  const next = { ...table, texts: searchTextsOf(['quite another', 'quite another']) }
  expect([table, next].map((one) => tableSearch(one, 'quite')?.matches(0))).toEqual([false, true])
  expect(tableSearch(next, 'uite')?.beginsWords(0)).toBe(false)
})

test('leads with the same text are found alike', () => {
  const search = tableSearch({ ...table, text: Uint32Array.of(1, 1) }, 'lin')
  for (const row of [0, 1]) expect([search?.matches(row), search?.beginsWords(row)]).toEqual([true, true])
})

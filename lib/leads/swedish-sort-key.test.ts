import { expect, test } from 'vitest'
import { compareKeys, toSwedishSortKey } from './swedish-sort-key'

test('orders as a Swedish telephone book does: å ä ö last, accents and case aside', () => {
  const names = 'adam Aron Émile Erik eva Ünal Zara A\u030ake Åsa Ärlig Örjan Østen'.split(' ')
  const sorted = names.toReversed().toSorted((a, b) => compareKeys(toSwedishSortKey(a), toSwedishSortKey(b)))
  expect(sorted).toEqual(names)
})

import { expect, test } from 'vitest'
import { compareKeys, swedishSortKey } from './swedish-sort-key'

const byKey = (a: string, b: string) => compareKeys(swedishSortKey(a), swedishSortKey(b))

test('orders as a Swedish telephone book does: å ä ö last, accents and case aside', () => {
  const names = ['Örjan', 'Zara', 'Ärlig', 'adam', 'Åsa', 'Émile', 'Erik', 'Aron', 'Østen', 'eva', 'Ünal']
  expect(names.toSorted(byKey)).toEqual([
    'adam',
    'Aron',
    'Émile',
    'Erik',
    'eva',
    'Ünal',
    'Zara',
    'Åsa',
    'Ärlig',
    'Örjan',
    'Østen',
  ])
})

test('agrees with the platform’s Swedish collation on letters', () => {
  const collator = new Intl.Collator('sv', { sensitivity: 'base' })
  const words = ['al', 'ål', 'äl', 'öl', 'zl', 'Ål', 'åa', 'az', 'él', 'ek', 'em']
  expect(words.toSorted(byKey).map(swedishSortKey)).toEqual(words.toSorted(collator.compare).map(swedishSortKey))
})

test('a decomposed å is an å', () => {
  expect(swedishSortKey('A\u030asa')).toBe(swedishSortKey('Åsa'))
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareKeys, foldText, swedishSortKey } from './comparable-text'

test('finds Swedish and other letters by their plain spelling', () => {
  expect(foldText('Åsa Öberg')).toBe('asa oberg')
  expect(foldText('Zoë Müller-Łukasz Sørensen')).toBe('zoe muller-lukasz sorensen')
  expect(foldText('STRAẞE')).toBe('strasse')
})

test('folds white space, also line breaks and no-break spaces', () => {
  expect(foldText('  en\u00a0fråga\n\n om   mat ')).toBe('en fraga om mat')
  expect(foldText('a\tb')).toBe('a b')
})

test('folding twice changes nothing more, so stored text and query always meet', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => foldText(foldText(text)) === foldText(text)))
})

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

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareKeys, foldAccents, foldText, plainLetters, swedishSortKey } from './comparable-text'

test.each([
  ['Åsa Öberg', 'asa oberg'],
  ['Zoë Müller-Łukasz Sørensen', 'zoe muller-lukasz sorensen'],
  ['STRAẞE', 'strasse'],
  ['  en\u00a0fråga\n\n om   mat ', 'en fraga om mat'],
  ['a\tb', 'a b'],
])('%j is found as %s', (text, folded) => expect(foldText(text)).toBe(folded))

test('folding twice changes nothing more, so stored text and query always meet', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => foldText(foldText(text)) === foldText(text)))
})

test('thousands of marks on one letter take no longer than thirty', () => {
  const [fold, sort] = [foldText, swedishSortKey].map((of) => (text: string) => {
    const before = performance.now()
    expect(of(`${text}x`)).toMatch(/x$/)
    return performance.now() - before
  })
  for (const pair of ['\u0301\u0323', '\uff9e\u0323', 'a\u0301\u0323', '\u0344\u0323']) {
    const long = pair.repeat(50_000)
    for (const ms of [fold?.(long), sort?.(long)]) expect(ms).toBeLessThan(250)
  }
  expect(foldText(`e${'\u0301'.repeat(40)}n`)).toBe('en')
})

test('å ä ö are letters of their own, however they are written; what else has an accent is not', () => {
  expect(foldAccents('ÅSA  Öberg-Ängström, André Müller Sørensen')).toBe('åsa öberg-ängström, andre muller sorensen')
  expect(foldAccents('A\u030asa O\u0308berg \u212bre \u01fa')).toBe('åsa öberg åre å')
  expect(foldAccents('asa  OBERG')).toBe('asa oberg')
})

test('folds of a text differ in å ä ö alone and are equally long', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'aoåÄöéü½´ß \u030a\u0308\u0301\u0323æﬁ') }),
  )
  fc.assert(
    fc.property(anyText, (text) => {
      const folded = foldAccents(text)
      expect(plainLetters(folded)).toBe(foldText(text))
      expect(folded).toHaveLength(foldText(text).length)
      expect(foldAccents(folded)).toBe(folded)
    }),
    { numRuns: 2000 },
  )
})

const byKey = (a: string, b: string) => compareKeys(swedishSortKey(a), swedishSortKey(b))

test('orders as a Swedish telephone book does: å ä ö last, accents and case aside', () => {
  const names = 'adam Aron Émile Erik eva Ünal Zara A\u030ake Åsa Ärlig Örjan Østen'.split(' ')
  expect(names.toReversed().toSorted(byKey)).toEqual(names)
})

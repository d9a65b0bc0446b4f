import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareKeys, foldAccents, foldText, plainLetters, swedishSortKey } from './comparable-text'
import { composeLetters } from './plain-characters'

test.each([
  ['Åsa Öberg', 'asa oberg'],
  ['Zoë Müller-Łukasz Sørensen', 'zoe muller-lukasz sorensen'],
  ['STRAẞE', 'strasse'],
  ['  en\u00a0fråga\n\n om   mat ', 'en fraga om mat'],
  ['a\tb', 'a b'],
  ['Yıldız', 'yildiz'],
  ['İbrahim', 'ibrahim'],
  ['Ŋiŋŋa Tuođđi', 'ninna tuoddi'],
  ['Ħamrun', 'hamrun'],
  ['Əliyev Ƴelwa Ɗan', 'eliyev yelwa dan'],
  ['Gu\u00adn\u2060il\u200bla', 'gunilla'],
  ['\uff21\uff4e\uff4e\uff41', 'anna'],
  ['\u202aÅsa\u202c \u0661\u06f2\uff13\u{1d7d2}', 'asa 1234'],
])('%j is found as %s', (text, folded) => expect(foldText(text)).toBe(folded))

test.each([...'`´ʼʻ‘’‛′\u02b9\u02c8\uff07\ua78c\u1ffd'])(
  'O%sConnor is one name with every apostrophe',
  (apostrophe) => {
    expect(foldText(`O${apostrophe}Connor`)).toBe("o'connor")
  },
)

test.each([...'‐‑‒–—―−﹣－⁃\u30a0\u058a'].filter((dash) => /\p{Dash}/u.test(dash)))(
  'Anna%sKarin is one name with every dash',
  (dash) => expect(foldText(`Anna${dash}Karin`)).toBe('anna-karin'),
)

test('digits of every script are those of ASCII', () => {
  const folded = new Set<string>()
  for (const system of Intl.supportedValuesOf('numberingSystem')) {
    const digits = new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false }).format(9_876_543_210)
    if (/^\p{Nd}+$/u.test(digits)) folded.add(foldText(digits))
  }
  expect([...folded]).toEqual(['9876543210'])
})

/** Letters of phoneticians and of Old English, which no name has. */
const NO_NAMES = new Set('ƅƍƛƨƪƺƽƾƿȝɂ')

test('every Latin letter that names are written with is found by plain ones', () => {
  const letters = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).filter((letter) =>
    /(?=\p{Script=Latin})[\p{Lu}\p{Ll}\p{Lt}]/u.test(letter),
  )
  expect(letters.length).toBeGreaterThan(400)
  const others = letters.filter(
    (letter) => !NO_NAMES.has(letter.toLowerCase()) && !/^'?[a-z]+·?$/.test(foldText(letter)),
  )
  expect(others).toEqual([])
})

test('letters are composed, whatever they came as', () => {
  expect(composeLetters('A\u030asa O\u0308berg')).toBe('Åsa Öberg')
  expect(composeLetters('Asa ½ ﬁ')).toBe('Asa ½ ﬁ')
})

test('folding twice changes nothing more, so stored text and query always meet', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => foldText(foldText(text)) === foldText(text)))
})

test('thousands of marks on one letter take no longer than thirty', () => {
  const [fold, sort] = [foldText, swedishSortKey].map((of) => (text: string) => {
    const before = performance.now()
    expect(of(`${text}x`)).toMatch(/x$/)
    return performance.now() - before
  })
  for (const pair of ['\u0301\u0323', '\uff9e\u0323', 'a\u0301\u0323', '\u0344\u0323', '\u0301\u200d\u0323']) {
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
    fc.string({ unit: fc.constantFrom(...'aoåÄöéü½´ß \u030a\u0308\u0301\u0323æﬁ\u200d\u00ad’‑\u0663ıŉ`\u0085') }),
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

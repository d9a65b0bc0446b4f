import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchTextAt, searchTextsOf } from './testing/search-texts-of'
import { plainLetters } from './comparable-text'
import { BEGINS, INSIDE, isWordStart, lookForWord, lookWith, NO } from './search-texts'

const anyText = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...'abé я😀1@'), maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  )
  .map((text) => plainLetters(text.toLowerCase()))
const anyWord = fc
  .oneof(anyText, fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 250, maxLength: 400 }))
  .filter((word) => word !== '')

/** By indexOf and a look at the letters beside each place. */
function plainlyMet(text: string, word: string): number {
  let best: number = NO
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before, first] = [Array.from(text.slice(0, at)).at(-1) ?? '', Array.from(text.slice(at))[0] ?? '']
    best = Math.max(best, /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(first) ? INSIDE : BEGINS)
  }
  return best
}

test('a word is found where indexOf finds it, in its own text alone, and never better than what was known before', () => {
  const anyTexts = fc.array(fc.tuple(anyText, fc.constantFrom(NO, INSIDE, BEGINS)), { maxLength: 5 })
  fc.assert(
    fc.property(anyTexts, anyWord, fc.nat(4), (others, word, first) => {
      const known = [...others, [`${others.map(([text]) => text).join('')}${word}`, BEGINS] as const, ...others]
      const all = searchTextsOf(known.map(([text]) => text))
      const finder = (text: number, from: number) => {
        const at = Buffer.from(all.bytes).indexOf(word, from)
        return at === -1 || at + Buffer.byteLength(word) > (all.starts[text + 1] ?? 0) ? -1 : at
      }
      for (const look of [lookForWord(all, word), lookWith(finder, all)]) {
        const answers = Uint8Array.from(known, ([, most]) => most)
        look(answers, first, answers.length)
        const expected = known.map(([text, most], at) => (at < first ? most : Math.min(most, plainlyMet(text, word))))
        expect([...answers]).toEqual(expected)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a text is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(anyText), (texts) => {
      const all = searchTextsOf(texts)
      expect(texts.map((_, number) => searchTextAt(all, number))).toEqual(texts)
    }),
  )
})

test('a word begins where no letter or digit goes before, in whatever alphabet', () => {
  const startsIn = (text: string) => {
    const all = searchTextsOf(['x', text])
    const places = Array.from(text, (_, at) => Buffer.byteLength(Array.from(text).slice(0, at).join('')))
    return Array.from(text).filter((_, at) => isWordStart(all, 1, (all.starts[1] ?? 0) + (places[at] ?? 0)))
  }
  expect(startsIn('ab1-c d@e').join('')).toBe('a-c d@e')
  expect(startsIn('яша й1').join('')).toBe('я й')
  expect(startsIn('a\u{20000}b😀c·é').join('')).toBe('a😀c·é')
})

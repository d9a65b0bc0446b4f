import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLetters } from './comparable-text'
import { BEGINS, INSIDE, letterFinder, matcherOf, NO, wordFinder } from './search-texts'
import { searchTextAt, searchTextsOf } from './testing/lead-table-of'

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
      expect(known.map((_, number) => searchTextAt(all, number))).toEqual(known.map(([text]) => text))
      const finder = (text: number, from: number) => {
        const at = Buffer.from(all.bytes).indexOf(word, from)
        return at === -1 || at + Buffer.byteLength(word) > (all.starts[text + 1] ?? 0) ? -1 : at
      }
      for (const look of [matcherOf(wordFinder(all, word), all), matcherOf(finder, all)]) {
        const answers = Uint8Array.from(known, ([, most]) => most)
        look(answers, first, answers.length)
        const expected = known.map(([text, most], at) => (at < first ? most : Math.min(most, plainlyMet(text, word))))
        expect([...answers]).toEqual(expected)
      }
    }),
    { numRuns: 2000 },
  )
})

/** The place of a typed word within one of the texts, from a place of it on. */
function found(texts: readonly string[], typed: string, text: number, from = 0): number {
  const all = searchTextsOf(texts)
  const start = all.starts[text] ?? 0
  return Math.max(-1, letterFinder(all, { plain: plainLetters(typed), typed })(text, start + from) - start)
}

test.each([1, 125, 126, 127, 128, 254, 255, 1000])('a letter is found %i places after the one before', (distance) => {
  const text = `ö${'x'.repeat(distance - 1)}ä`
  expect([found(['åä', text], 'ä', 1), found([text], text, 0)]).toEqual([distance, 0])
})

test('places are those of bytes, whatever is before them', () => {
  const text = 'я 😀 ö, øä'
  const places = [found([text], 'ö', 0), found(['o', text], 'øä', 1), found([text], 'øå', 0)]
  expect(places).toEqual([8, Buffer.byteLength('я 😀 o, '), -1])
})

/** Letter by letter at every place. */
function plainlyFound(text: string, typed: string, from: number): number {
  const meets = (written: string, letter: string) => written === letter || plainLetters(written) === letter
  const fits = (at: number) => [...typed].every((letter, place) => meets(text[at + place] ?? '', letter))
  for (let at = from; at + typed.length <= text.length; at++) if (fits(at)) return at
  return -1
}

test('a word with å, ä or ö is found where a look at every place finds it, from any place on', () => {
  const text = fc.string({ unit: fc.constantFrom(...'aoåäös '), maxLength: 30 })
  const typed = fc
    .string({ unit: fc.constantFrom(...'aoåäös'), minLength: 1, maxLength: 4 })
    .filter((word) => plainLetters(word) !== word)
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), typed, fc.nat(8), (texts, word, from) => {
      texts.forEach((one, row) => expect(found(texts, word, row, from)).toBe(plainlyFound(one, word, from)))
    }),
    { numRuns: 3000 },
  )
})

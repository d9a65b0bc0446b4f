import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLetters } from './comparable-text'
import { createLetterFinder } from './letter-marks'
import { BEGINS_WORD, createTextMatcher, createWordFinder, INSIDE_WORD, NO_MATCH } from './search-texts'
import { getTableSearch } from './table-search'
import { leadTableOf, searchTextAt, searchTextsOf } from './testing/lead-table-of'
import { declaration } from './testing/leads'

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
  let best: number = NO_MATCH
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before, first] = [Array.from(text.slice(0, at)).at(-1) ?? '', Array.from(text.slice(at))[0] ?? '']
    best = Math.max(best, /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(first) ? INSIDE_WORD : BEGINS_WORD)
  }
  return best
}

test('a word is found where indexOf finds it, in its own text alone, and never better than what was known before', () => {
  const anyTexts = fc.array(fc.tuple(anyText, fc.constantFrom(NO_MATCH, INSIDE_WORD, BEGINS_WORD)), { maxLength: 5 })
  fc.assert(
    fc.property(anyTexts, anyWord, fc.nat(4), (others, word, first) => {
      const known = [...others, [`${others.map(([text]) => text).join('')}${word}`, BEGINS_WORD] as const, ...others]
      const all = searchTextsOf(known.map(([text]) => text))
      expect(known.map((_, number) => searchTextAt(all, number))).toEqual(known.map(([text]) => text))
      const finder = (text: number, from: number) => {
        const at = Buffer.from(all.bytes).indexOf(word, from)
        return at === -1 || at + Buffer.byteLength(word) > (all.starts[text + 1] ?? 0) ? -1 : at
      }
      for (const look of [createTextMatcher(createWordFinder(all, word), all), createTextMatcher(finder, all)]) {
        const answers = Uint8Array.from(known, ([, most]) => most)
        look(answers, first, answers.length)
        const expected = known.map(([text, most], at) => (at < first ? most : Math.min(most, plainlyMet(text, word))))
        expect([...answers]).toEqual(expected)
      }
    }),
    { numRuns: 2000 },
  )
})

/** The byte at which a look at every place finds the word, letter by letter. */
function plainlyFound(text: string, typed: string, from: number): number {
  const meets = (written: string, letter: string) => written === letter || plainLetters(written) === letter
  const fits = (at: number) => [...typed].every((letter, place) => meets(text[at + place] ?? '', letter))
  const placeOf = (at: number) => Buffer.byteLength(plainLetters(text.slice(0, at)))
  for (let at = 0; at + typed.length <= text.length; at++) if (placeOf(at) >= from && fits(at)) return placeOf(at)
  return -1
}

test('a word with å, ä or ö is found where a look at every place finds it, from any place on', () => {
  // The distance from one such letter to the next is written in one byte or in several.
  const examples = [1, 125, 126, 127, 128, 254, 255, 1000].flatMap((distance): [string[], string, number][] => {
    const far = `ö${'x'.repeat(distance - 1)}ä`
    return ['ä', far].map((word) => [['åä', far], word, 0])
  })
  const text = fc.string({ unit: fc.constantFrom(...'aoåäös я😀'), maxLength: 30 })
  const typed = fc
    .string({ unit: fc.constantFrom(...'aoåäös'), minLength: 1, maxLength: 4 })
    .filter((word) => plainLetters(word) !== word)
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), typed, fc.nat(8), (texts, word, from) => {
      const all = searchTextsOf(texts)
      const find = createLetterFinder(all, { plain: plainLetters(word), typed: word })
      const found = texts.map((_, number) => {
        const start = all.starts[number] ?? 0
        return Math.max(-1, find(number, start + from) - start)
      })
      expect(found).toEqual(texts.map((one) => plainlyFound(one, word, from)))
    }),
    { numRuns: 3000, examples },
  )
})

const table = {
  ...leadTableOf('declaration-of-interest', [declaration('a'), declaration('b')]),
  text: Uint32Array.of(0, 1),
  texts: searchTextsOf(['asa oberg', 'erik lind']),
}

test('a search answers the same when it is asked again, also after many others', () => {
  const found = (query: string) => [0, 1].map((row) => getTableSearch(table, query)?.inside.test(row))
  for (let times = 0; times < 2; times++) expect(found('berg')).toEqual([true, false])
  for (let other = 0; other < 20; other++) expect(found(`zzqq${other}`)).toEqual([false, false])
  expect(found('berg')).toEqual([true, false])
})

test('what one table was found to have says nothing of the next', () => {
  const next = { ...table, texts: searchTextsOf(['quite another', 'quite another']) }
  expect([table, next].map((one) => getTableSearch(one, 'quite')?.inside.test(0))).toEqual([false, true])
  expect(getTableSearch(next, 'uite')?.wordStarts.test(0)).toBe(false)
})

test('leads with the same text are found alike', () => {
  const search = getTableSearch({ ...table, text: Uint32Array.of(1, 1) }, 'lin')
  for (const row of [0, 1]) expect([search?.inside.test(row), search?.wordStarts.test(row)]).toEqual([true, true])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLetters } from './comparable-text'
import { searchTextsOf } from './testing/search-texts-of'
import type { WordFinder } from './search-texts'
import { letterFinder } from './search-texts'

/** Finds places within each of the texts. */
function finderOver(texts: readonly string[], typed: string): WordFinder {
  const all = searchTextsOf(texts)
  const find = letterFinder(all, { plain: plainLetters(typed), typed })
  return (text, from) => {
    const start = all.starts[text] ?? 0
    const at = find(text, start + from)
    return at === -1 ? -1 : at - start
  }
}

test('a typed å, ä or ö meets itself alone; what is typed without meets all of them', () => {
  const texts = ['asa', 'åsa', 'äsa', 'åså', '', 'en påse åsä']
  const found = (typed: string) => texts.map((_, row) => finderOver(texts, typed)(row, 0))
  expect(found('åsa')).toEqual([-1, 0, -1, 0, -1, 8])
  expect(found('åsä')).toEqual([-1, -1, -1, -1, -1, 8])
  expect(found('ä')).toEqual([-1, -1, 0, -1, -1, 10])
  expect(found('ö')).toEqual([-1, -1, -1, -1, -1, -1])
})

test('a letter is found however far it lies from the one before', () => {
  for (const distance of [1, 125, 126, 127, 128, 254, 255, 1000]) {
    const text = `ö${'x'.repeat(distance - 1)}ä`
    expect(finderOver(['åä', text], 'ä')(1, 0), `${distance}`).toBe(distance)
    expect(finderOver([text], text)(0, 0), `${distance}`).toBe(0)
  }
})

/** The obvious way: letter by letter at every place. */
function plainlyFound(text: string, typed: string, from: number): number {
  const fits = (at: number) => [...typed].every((letter, place) => meets(text[at + place] ?? '', letter))
  for (let at = from; at + typed.length <= text.length; at++) if (fits(at)) return at
  return -1
}
const meets = (written: string, letter: string) => written === letter || plainLetters(written) === letter

test('places are those of bytes, whatever stands before them', () => {
  const text = 'я 😀 ö, øä'
  expect(finderOver([text], 'ö')(0, 0)).toBe(8)
  expect(finderOver(['o', text], 'øä')(1, 0)).toBe(Buffer.byteLength('я 😀 o, '))
  expect(finderOver([text], 'øå')(0, 0)).toBe(-1)
})

test('finds what a look at every place finds, from any place on', () => {
  const text = fc.string({ unit: fc.constantFrom(...'aoåäös '), maxLength: 30 })
  const typed = fc
    .string({ unit: fc.constantFrom(...'aoåäös'), minLength: 1, maxLength: 4 })
    .filter((word) => plainLetters(word) !== word)
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), typed, fc.nat(8), (texts, word, from) => {
      const find = finderOver(texts, word)
      texts.forEach((one, row) => expect(find(row, from)).toBe(plainlyFound(one, word, from)))
    }),
    { numRuns: 3000 },
  )
})

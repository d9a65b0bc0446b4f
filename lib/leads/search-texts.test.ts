import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLetters } from './comparable-text'
import { createLetterFinder } from './letter-marks'
import { getTableSearch } from './table-search'
import { leadTableOf, searchTextsOf } from './testing/lead-table-of'
import { declaration } from './testing/leads'

/** Finds the byte at which a look at every place finds the word, letter by letter. */
function plainPosition(text: string, typed: string, from: number): number {
  const matches = (written: string, letter: string) => written === letter || plainLetters(written) === letter
  const fits = (at: number) => [...typed].every((letter, offset) => matches(text[at + offset] ?? '', letter))
  const toByte = (at: number) => Buffer.byteLength(plainLetters(text.slice(0, at)))
  for (let at = 0; at + typed.length <= text.length; at++) if (toByte(at) >= from && fits(at)) return toByte(at)
  return -1
}

test('a word with å, ä or ö is found where a look at every place finds it, from any place on', () => {
  // The distance from one such letter to the next is written in one byte or in several.
  const examples = [1, 125, 126, 127, 128, 254, 255, 1000].flatMap((distance): [string[], string, number][] => {
    const far = `ö${'x'.repeat(distance - 1)}ä`
    return ['ä', far, far.replace('ä', 'å')].map((word) => [['åä', far], word, 0])
  })
  const text = fc.string({ unit: fc.constantFrom(...'aoåäös я😀'), maxLength: 30 })
  const typed = fc
    .string({ unit: fc.constantFrom(...'aoåäös'), minLength: 1, maxLength: 4 })
    .filter((word) => plainLetters(word) !== word)
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), typed, fc.nat(8), (texts, word, from) => {
      const { starts, ...rest } = searchTextsOf(texts)
      const find = createLetterFinder({ starts, ...rest }, { plain: plainLetters(word), typed: word })
      const found = texts.map((_, index) =>
        Math.max(-1, find(index, (starts[index] ?? 0) + from) - (starts[index] ?? 0)),
      )
      expect(found).toEqual(texts.map((one) => plainPosition(one, word, from)))
    }),
    { numRuns: 3000, examples },
  )
})

test('a search answers the same after many others, for each text once, and says nothing of the next table', () => {
  const declarations = leadTableOf(
    'declaration-of-interest',
    ['a', 'b', 'c'].map((id) => declaration(id)),
  )
  const table = { ...declarations, text: Uint32Array.of(0, 1, 1), texts: searchTextsOf(['asa oberg', 'erik lind']) }
  const next = { ...table, texts: searchTextsOf(['quite another', 'quite another']) }
  const find = (query: string, searched = table) =>
    [0, 1, 2].map((row) => getTableSearch(searched, query)?.inside.test(row))
  for (let other = 0; other < 20; other++) {
    expect([find('berg'), find('ind')]).toEqual([
      [true, false, false],
      [false, true, true],
    ])
    expect(find(`zzqq${other}`)).toEqual([false, false, false])
  }
  expect([find('quite'), find('quite', next)]).toEqual([
    [false, false, false],
    [true, true, true],
  ])
})

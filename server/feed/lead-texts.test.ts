import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldAccents, foldText, swedishSortKey } from '@/lib/leads/comparable-text'
import { utf8 } from '@/lib/leads/search-texts'
import { letterMarks } from '@/lib/leads/search-texts'
import { createFolder, createNameKeys } from './lead-texts'

const fold = createFolder()
const nameKey = createNameKeys()

/** Swedish, other Latin letters, spaces of all kinds, marks that combine, and anything else. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aåÅäÄöÖéÉüßæøµ½´¨ \t\n\u00a0\u00ad-–\u030a\u0301😀ﬁA1;"'), maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

test('Åsa is found as asa, a phone by its digits', () => {
  expect(fold(['Åsa', 'Öberg', 'Asa.Oberg@Example.SE'], '46701234567 0701234567').text).toEqual(
    utf8('asa oberg asa.oberg@example.se 46701234567 0701234567'),
  )
  expect(fold([null, ' ', null], '')).toEqual({ text: utf8(''), letters: [] })
})

test('the table folds as foldText does, whatever the text, and knows which letters are å ä ö', () => {
  fc.assert(
    fc.property(fc.array(fc.option(anyText), { maxLength: 4 }), fc.constantFrom('', '0701'), (texts, digits) => {
      const joined = texts.filter((text) => text !== null).join(' ')
      const whole = [foldText(joined), digits].filter((part) => part !== '').join(' ')
      expect(fold(texts, digits)).toEqual({ text: utf8(whole), letters: letterMarks(foldAccents(joined)) })
    }),
    { numRuns: 3000 },
  )
})

test('the table makes the keys that swedishSortKey makes, whatever the name', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      expect(nameKey(name)).toBe(swedishSortKey(name))
    }),
    { numRuns: 3000 },
  )
})

test('a text longer than any before is folded whole', () => {
  const question = 'Hej på er! '.repeat(50_000)
  const folded = fold([question], '')
  expect(Buffer.from(folded.text).equals(utf8(foldText(question)))).toBe(true)
  expect(folded.letters).toHaveLength(50_000)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchRanges, phoneMatchRanges } from './match-ranges'

const marked = (text: string, query: string) =>
  matchRanges(text, query)
    .filter((part) => part.match)
    .map((part) => part.text)
const markedPhone = (text: string, query: string) =>
  phoneMatchRanges(text, query)
    .filter((part) => part.match)
    .map((part) => part.text)

test('marks as the search finds: without regard to case and accents', () => {
  expect(marked('Åsa Öberg', 'asa')).toEqual(['Åsa'])
  expect(marked('Åsa Öberg', 'OBERG åsa')).toEqual(['Åsa', 'Öberg'])
  expect(marked('Linne\u0301a Sjöberg', 'linnea')).toEqual(['Linne\u0301a'])
  expect(marked('Straße 🎓 åk 9', 'strasse')).toEqual(['Straße'])
})

test('marks every place, and nothing without a search', () => {
  expect(marked('asa@asa.se', 'asa')).toEqual(['asa', 'asa'])
  expect(marked('Åsa', '  ')).toEqual([])
})

test('marks a phone in any spelling, with what stands between the digits', () => {
  expect(markedPhone('070-174 06 05', '0701740')).toEqual(['070-174 0'])
  expect(markedPhone('070-174 06 05', '+46 70 17')).toEqual(['070-17'])
  expect(markedPhone('070-174 06 05', '0046 70')).toEqual(['070'])
  expect(markedPhone('+467000000000', '467000')).toEqual(['+467000'.slice(1)])
})

test('never loses or changes a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (text, query) => {
      expect(
        matchRanges(text, query)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
      expect(
        phoneMatchRanges(text, query)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

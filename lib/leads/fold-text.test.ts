import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from './fold-text'

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

import { describe, expect, test } from 'vitest'
import { harmless } from './csv'

describe('a cell', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@a',
    '\tx',
    '\rx',
    '\n=1',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '＝1',
    '＋1',
    '－1',
    '＠a',
    '"=1',
  ])('that begins like a formula is told to be text: %j', (text) => expect(harmless(text)).toBe(`'${text}`))
  test.each(['', 'Åsa', 'a=b', '1-2', '2026-11-20 08:12', 'nej – tack', '(=)', '  text'])(
    'of plain text is left alone: %j',
    (text) => expect(harmless(text)).toBe(text),
  )
})

import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { figuresCsv, harmless } from './csv'

describe('a cell', () => {
  test.each(['=1+1', '+1', '-1', '@a', '\tx', '\rx', ' =1', '\u00a0=1', '\u200b=1', '＝1', '＋1', '－1', '＠a', '"=1'])(
    'that begins like a formula is told to be text: %j',
    (text) => expect(harmless(text)).toBe(`'${text}`),
  )
  test.each(['', 'Åsa', 'a=b', '1-2', '2026-11-20 08:12', 'nej – tack', '(=)', '  text'])(
    'of plain text is left alone: %j',
    (text) => expect(harmless(text)).toBe(text),
  )
  test.each([
    ['\n=1', "'\n'=1"],
    ['Ek,=1+2,x', "Ek,'=1+2,x"],
    ['Ek; "=1"|+2\t-3', "Ek;' \"=1\"|'+2\t'-3"],
    ['Hej,\r\n- kan jag börja?', "Hej,\r\n'- kan jag börja?"],
    ['a,\u200b＝1', "a,'\u200b＝1"],
    ['a;\tb,\rc', "a;'\tb,'\rc"],
  ])('that another delimiter would cut is harmless in all its parts: %j', (text, file) =>
    expect(harmless(text)).toBe(file),
  )
  test.each(['Ek, Ask; Al', 'Hej,\r\n\r\njag undrar', 'a\t\tb', 'a, b=c', '2, 3'])(
    'with delimiters and nothing like a formula is left alone: %j',
    (text) => expect(harmless(text)).toBe(text),
  )
  test('of 400 kB of white space and delimiters takes no time', () => {
    const startedAt = performance.now()
    for (const part of ['\n', ' ', '\t', ', ', '\u200b', ';"']) harmless(`a;${part.repeat(200_000)}`)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})

test('the file of a chart opens in Swedish spreadsheets: mark, semicolons, CRLF, decimal comma', () => {
  const rows = [
    ['Åsö; gymnasium', 5],
    ['=1+1', '<5'],
    ['Andel', 0.5],
    ['Tom', null],
  ]
  const text = figuresCsv({ columns: ['Skola', '2027'], rows })
  expect(text.startsWith('\u{feff}Skola;2027\r\n')).toBe(true)
  expect(parse(text, { bom: true, delimiter: ';', record_delimiter: '\r\n' })).toEqual([
    ['Skola', '2027'],
    ['Åsö; gymnasium', '5'],
    ["'=1+1", '<5'],
    ['Andel', '0,5'],
    ['Tom', ''],
  ])
})

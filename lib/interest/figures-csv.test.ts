import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { figuresCsv } from './figures-csv'

describe('the file of a chart', () => {
  const text = figuresCsv({
    columns: ['Skola', '2027'],
    rows: [
      ['Åsö; gymnasium', 5],
      ['=1+1', '<5'],
      ['Andel', 0.5],
      ['Tom', null],
    ],
  })

  it('opens in Swedish spreadsheets: mark, semicolons, CRLF, decimal comma', () => {
    expect(text.startsWith('\u{feff}Skola;2027\r\n')).toBe(true)
    expect(parse(text, { bom: true, delimiter: ';', record_delimiter: '\r\n' })).toEqual([
      ['Skola', '2027'],
      ['Åsö; gymnasium', '5'],
      ["'=1+1", '<5'],
      ['Andel', '0,5'],
      ['Tom', ''],
    ])
  })
})

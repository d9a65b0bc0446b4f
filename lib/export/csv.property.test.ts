import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportColumnSchema } from '@/lib/contract/export'
import { exportedLead } from '@/lib/export/testing/arbitrary-leads'
import { WORDS } from '@/lib/export/testing/words'
import { formatClock } from '@/lib/time/stockholm'
import { escapeCsvText, formatCsvHeader, formatCsvRow, formatFiguresCsv, neutralizeFormulas } from './csv'
import { createExportColumns, type ExportedLead } from './export-cells'

const columns = createExportColumns(exportColumnSchema.options, WORDS)
const delimiters = [';', ',', '\t'] as const

/** The screen, cell by cell. */
function shown(exported: ExportedLead): string[] {
  return columns.map((column) => {
    const value = column.readCell(exported)
    if (typeof value === 'number') return column.kind === 'moment' ? formatClock(value) : String(value)
    // Half a surrogate pair, which is no character, cannot be written in any encoding.
    return value?.normalize('NFC').toWellFormed() ?? ''
  })
}

/** Without those that a cell may begin with, also one of another delimiter. */
function withoutApostrophes(cell: string): string {
  return cell.replace(/(^|[;,\t|\r\n\v\f\x85\u2028\u2029])'+/g, '$1')
}

const BREAKS = ['\r', '\n']
/** Python's `splitlines` and others cut at these. */
const ALL_BREAKS = [...BREAKS, '\v', '\f', '\x85', '\u2028', '\u2029']

/** As the most lenient readers do: lines and cells are cut wherever they end, unless a cell began with a quote. */
function cellsBy(file: string, delimiter: string, isQuoteHonoured: boolean, breaks: readonly string[]): string[] {
  const cells: string[] = []
  let [cell, isOpen, hasBegun] = ['', false, false]
  for (const character of file) {
    if (isQuoteHonoured && character === '"' && (isOpen || !hasBegun)) isOpen = !isOpen
    else if (!isOpen && (character === delimiter || breaks.includes(character))) {
      cells.push(cell)
      ;[cell, hasBegun] = ['', false]
      continue
    } else cell += character
    hasBegun = true
  }
  return [...cells, cell]
}

const FORMULA = /^(?:[\t\r]|["\s\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20])/
/** A phone in groups of digits, which no spreadsheet takes for a number or a formula. */
const PHONE = /^["\s]*\+\d+( \d+)+(?!\d)/

describe('a CSV file', () => {
  test('is read by a strict RFC 4180 reader as what was on screen, with at most apostrophes where cells could begin', () => {
    fc.assert(
      fc.property(fc.array(exportedLead, { maxLength: 5 }), fc.constantFrom(...delimiters), (leads, delimiter) => {
        const file =
          formatCsvHeader(columns, delimiter) + leads.map((lead) => formatCsvRow(columns, lead, delimiter)).join('')
        const read: string[][] = parse(file.toWellFormed(), { delimiter, record_delimiter: '\r\n' })
        expect(read[0]).toEqual(columns.map(({ header }) => header))
        expect(read).toHaveLength(leads.length + 1)
        for (const [index, lead] of leads.entries()) {
          const cells = read[index + 1] ?? []
          expect(cells.map(withoutApostrophes)).toEqual(shown(lead).map(withoutApostrophes))
          expect(cells.filter((cell) => FORMULA.test(cell) && !/^\+\d+( \d+)+$/.test(cell))).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  test('holds no cell that a spreadsheet could take for a formula, read with any delimiter, by its quotes or without them', () => {
    const signs = [';', ',', '\t', '|', '"', ' ', "'", '=', '+', '-', '@', '＝', '1', 'Ek']
    const parts = [...signs, '\r\n', ...ALL_BREAKS]
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join(''))
    const texts = fc.array(text, { maxLength: 4 })
    fc.assert(
      fc.property(exportedLead, texts, fc.constantFrom(...delimiters), (lead, others, written) => {
        const file = `${others.map(escapeCsvText).join(written)}\r\n${formatCsvRow(columns, lead, written)}`
        // A quote of ours may open a cell with the end of a line; and in a file with tabs an empty cell is one.
        const trim = (cell: string) => (written === '\t' ? cell.trimStart() : cell.replace(/^\r\n/, ''))
        for (const read of [';', ',', '\t', '|'])
          for (const breaks of [BREAKS, ALL_BREAKS])
            for (const isHonoured of [false, true]) {
              const cells = cellsBy(file, read, isHonoured, breaks).filter((cell) => !PHONE.test(cell))
              expect(cells.filter((cell) => FORMULA.test(trim(cell)))).toEqual([])
            }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a cell', () => {
  const texts = ['', 'Åsa', '  text', 'nej – tack', 'a=b', '1-2', '(=)', '2, 3', 'Hej,\r\n\r\njag', 'a\t\tb']
  test.each(texts)('%j is written as it is', (text) => expect(neutralizeFormulas(text)).toBe(text))

  test.each([
    ['=1+1', "'=1+1"],
    ['＋1', "'＋1"],
    ['＠a', "'＠a"],
    ['−1', "'−1"],
    ['Ek; "=1"|+2\t-3', "Ek;' \"=1\"|'+2\t'-3"],
    ['Hej,\r\n- kan jag börja?', "Hej,\r\n'- kan jag börja?"],
    ['a;\tb,\rc', "a;'\tb,'\rc"],
  ])('%j is written as %j', (text, file) => expect(neutralizeFormulas(text)).toBe(file))

  test('of 400 kB of white space and delimiters takes no time', () => {
    const startedAt = performance.now()
    for (const part of ['\n', ' ', '\t', ', ', '\u200b', ';"']) neutralizeFormulas(`a;${part.repeat(200_000)}`)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})

test('the file of a chart opens in Swedish spreadsheets: mark, semicolons, CRLF, decimal comma', () => {
  const rows = [
    ['Åsö; gymnasium', 5, 0.5],
    ['=1+1', '<5', null],
  ]
  const file = '\u{feff}Skola;2027;Andel\r\n"Åsö; gymnasium";5;0,5\r\n\'=1+1;<5;\r\n'
  expect(formatFiguresCsv({ columns: ['Skola', '2027', 'Andel'], rows })).toBe(file)
})

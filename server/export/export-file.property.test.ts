import { crc32 } from 'node:zlib'
import ExcelJS from 'exceljs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportColumnSchema } from '@/lib/contract/export'
import { createExportColumns, type ExportColumn, type ExportedLead } from '@/lib/export/export-cells'
import { exportedLead } from '@/lib/export/testing/arbitrary-leads'
import { WORDS } from '@/lib/export/testing/words'
import { declaration, question } from '@/lib/leads/testing/leads'
import { createTextEncoder } from './export-file'
import { writeExportFile } from './testing/written-file'
import { computeCrc32 } from './zip'

const columns = createExportColumns(exportColumnSchema.options, WORDS)
const QUESTION = columns.findIndex(({ name }) => name === 'question') + 1

async function writeSheet(leads: readonly ExportedLead[]): Promise<ExcelJS.Worksheet> {
  const workbook = new ExcelJS.Workbook()
  await workbook.xlsx.load(Uint8Array.from(await writeExportFile('xlsx', leads)).buffer)
  const [sheet] = workbook.worksheets
  if (!sheet) throw new Error('no sheet')
  return sheet
}

const untouched = { triage: { status: 'new', assignee: null, updatedAt: null }, school: 's' } as const
const asked = (text: string, createdAt?: string): ExportedLead => ({
  lead: question('q', { text, ...(createdAt !== undefined && { createdAt }) }),
  ...untouched,
})

function readShownValue({ kind, readCell }: ExportColumn, lead: ExportedLead): unknown {
  const value = readCell(lead) ?? ''
  if (typeof value === 'string') return value.normalize('NFC').toWellFormed().replace(NOT_IN_XML, '')
  return kind === 'moment' ? new Date(Math.floor(value / 60_000) * 60_000) : value
}

/** Controls that no XML can hold, and no screen shows. */
const NOT_IN_XML = /(?![\t\n\r\x7f-\x9f])\p{Cc}|[\ufffe\uffff]/gu

function joinParts(value: ExcelJS.CellValue): unknown {
  const isRich = typeof value === 'object' && value !== null && 'richText' in value
  return isRich ? value.richText.map(({ text }) => text).join('') : value
}

test('the checksum of an early Node 20 is that of later ones', () => {
  const bytes = Buffer.from('intresseanmälan')
  expect(computeCrc32(bytes.subarray(5), computeCrc32(bytes.subarray(0, 5)))).toBe(crc32(bytes))
})

describe('an XLSX file', () => {
  test('is read as what was on screen: texts as texts, years as numbers, moments as dates, and no formula', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(exportedLead, { minLength: 1, maxLength: 3 }), async (leads) => {
        const sheet = await writeSheet(leads)
        expect(sheet.rowCount).toBe(leads.length + 1)
        for (const [index, lead] of leads.entries()) {
          const cells = columns.map((_, column) => sheet.getCell(index + 2, column + 1))
          expect(cells.filter(({ type }) => type === ExcelJS.ValueType.Formula)).toEqual([])
          expect(cells.map(({ value }) => joinParts(value) ?? '')).toEqual(
            columns.map((column) => readShownValue(column, lead)),
          )
        }
      }),
      { numRuns: 60 },
    )
  })

  test('has a moment as text where spreadsheets know no day', async () => {
    const moments = ['0000-01-01T00:00:00.000Z', '1900-02-28T22:59:00.000Z', '1900-02-28T23:00:00.000Z']
    const sheet = await writeSheet(moments.map((createdAt) => asked('', createdAt)))
    const cells = moments.map((_, index) => sheet.getCell(index + 2, 1).value)
    expect(cells.slice(0, 2).map(joinParts)).toEqual(['0000-01-01 01:00', '1900-02-28 23:59'])
    expect(cells[2]).toEqual(new Date('1900-03-01T00:00:00Z'))
  })

  test('holds what looks like an escape of spreadsheets so that none of them takes it for one', async () => {
    const text = '_x000D_ _x0041_x0042_ _x00\u00010D_'
    const sheet = await writeSheet([asked(text)])
    const { value } = sheet.getCell(2, QUESTION)
    expect(joinParts(value)).toBe('_x000D_ _x0041_x0042_ _x000D_')
    expect(JSON.stringify(value)).not.toMatch(/_x[0-9a-f]{4}_/i)
  })

  test('has a frozen header, a filter over every row, formats, and prints on its side with the header on each page', async () => {
    const sheet = await writeSheet([asked('Hej'), asked('Hej')])
    expect(sheet.name).toBe('Intresseanmälningar')
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 })
    expect(sheet.autoFilter).toBe('A1:Q3')
    expect(sheet.getRow(1).values).toEqual([undefined, ...columns.map(({ header }) => header)])
    expect(sheet.getColumn(QUESTION).width).toBeGreaterThan(40)
    expect(sheet.getCell('A2').numFmt.replaceAll('\\', '')).toBe('yyyy-mm-dd hh:mm')
    const printed = { orientation: 'landscape', paperSize: 9, fitToWidth: 1, fitToHeight: 0, printTitlesRow: '1:1' }
    expect(sheet.pageSetup).toMatchObject(printed)
  })

  test('says so when a cell could not hold the whole text', async () => {
    const sheet = await writeSheet([asked('👩'.repeat(50_000))])
    const text = String(sheet.getCell(2, QUESTION).value)
    expect(text.length).toBeLessThanOrEqual(32_767)
    expect(text.isWellFormed()).toBe(true)
    expect(text).toMatch(/👩 … \[avkortat\]$/u)
  })
})

test.each([
  ['utf-8-bom', '\ufeffÅsa €🎓'],
  ['utf-8', 'Åsa €🎓'],
  ['utf-16le', '\ufeffÅsa €🎓'],
  ['windows-1252', 'Åsa €?'],
] as const)('%s is read back by its name, marked once at most', (encoding, expected) => {
  const encode = createTextEncoder(encoding)
  const bytes = Buffer.concat([encode('Åsa '), encode('€🎓')])
  const label = encoding === 'utf-8-bom' ? 'utf-8' : encoding
  expect(new TextDecoder(label, { ignoreBOM: true }).decode(bytes)).toBe(expected)
})

test.each<[name: string, cell: string, encoding?: 'utf-8' | 'windows-1252']>([
  ['A\u030asa O\u0308berg', 'Åsa Öberg'],
  ['Łukasz Şahin Đorđe Yıldız', 'Lukasz Sahin Dorde Yildiz'],
  ['Anna\u2011Karin O\u02bcConnor', "Anna-Karin O'Connor"],
  ['Ǻse Žižek Œ Nguyễn', 'Åse Žižek Œ Nguyên'],
  ['m\u0300 a\u200db\u2009c 🎓 Анна', 'm ab c ? ????'],
  // No nearest sign of Windows-1252 ends a cell or begins a formula.
  ['\u2010 1', "'- 1"],
  ['\uff1d1', "'=1"],
  ['a\uff02;b\uff1bc', '"a"";b;c"'],
  ['A\u030asa', 'Åsa', 'utf-8'],
] as const)(
  '%s is written as %s in Windows-1252, and letters are composed in every encoding',
  async (name, cell, encoding = 'windows-1252') => {
    const leads = [{ lead: declaration('d', { firstName: name }), ...untouched }]
    const bytes = await writeExportFile('csv', leads, { columns: ['firstName'], encoding })
    expect(new TextDecoder(encoding).decode(bytes).split('\r\n')[1]).toBe(cell)
  },
)

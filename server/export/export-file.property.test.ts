import ExcelJS from 'exceljs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportColumnSchema } from '@/lib/contract/export'
import { type ExportColumn, exportColumns, type ExportedLead } from '@/lib/export/export-cells'
import { exportedLead } from '@/lib/export/testing/arbitrary-leads'
import { WORDS } from '@/lib/export/testing/words'
import { writeFile } from './export-file'

const columns = exportColumns(exportColumnSchema.options, WORDS)

async function workbookOf(leads: readonly ExportedLead[]): Promise<ExcelJS.Worksheet> {
  const read = (index: number) => {
    const lead = leads[index]
    if (lead === undefined) throw new RangeError(`no lead ${index}`)
    return lead
  }
  const chunks: Uint8Array[] = []
  const order = {
    rows: { count: leads.length, read },
    columns: exportColumnSchema.options,
    words: WORDS,
    delimiter: ';',
    encoding: 'utf-8-bom',
    uid: () => '',
    pause: () => Promise.resolve(),
    onWritten: () => undefined,
  } as const
  for await (const chunk of writeFile('xlsx', order)) chunks.push(chunk)
  const workbook = new ExcelJS.Workbook()
  const bytes = Buffer.concat(chunks)
  await workbook.xlsx.load(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer)
  const [sheet] = workbook.worksheets
  if (!sheet) throw new Error('no sheet')
  return sheet
}

function asked(question: string): ExportedLead {
  const lead = { id: 'q', highSchoolId: 's', highSchoolName: 's', createdAt: '2026-11-20T07:12:00.000Z', question }
  const sender = { mode: 'email', phone: null, email: null }
  return { lead: { ...lead, sender }, triage: { status: 'new', assignee: null, updatedAt: null }, school: 's' }
}

function shown({ kind, cell }: ExportColumn, lead: ExportedLead): unknown {
  const value = cell(lead) ?? ''
  if (typeof value === 'string') return value.normalize('NFC').toWellFormed().replace(NOT_IN_XML, '')
  return kind === 'moment' ? new Date(Math.floor(value / 60_000) * 60_000) : value
}

/** Controls that no XML can hold, and no screen shows. */
const NOT_IN_XML = /(?![\t\n\r\x7f-\x9f])\p{Cc}|[\ufffe\uffff]/gu

function whole(value: ExcelJS.CellValue): unknown {
  const isParted = typeof value === 'object' && value !== null && 'richText' in value
  return isParted ? value.richText.map(({ text }) => text).join('') : value
}

describe('an XLSX file', () => {
  test('is read as what was on screen: texts as texts, years as numbers, moments as dates, and no formula', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(exportedLead, { minLength: 1, maxLength: 3 }), async (leads) => {
        const sheet = await workbookOf(leads)
        expect(sheet.rowCount).toBe(leads.length + 1)
        for (const [index, lead] of leads.entries()) {
          const cells = columns.map((_, at) => sheet.getCell(index + 2, at + 1))
          expect(cells.filter(({ type }) => type === ExcelJS.ValueType.Formula)).toEqual([])
          expect(cells.map(({ value }) => whole(value) ?? '')).toEqual(columns.map((column) => shown(column, lead)))
        }
      }),
      { numRuns: 60 },
    )
  })

  test('has a moment as text where spreadsheets know no day', async () => {
    const moments = [
      '0000-01-01T00:00:00.000Z',
      '1900-02-28T22:59:00.000Z',
      '1900-02-28T23:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]
    const sheet = await workbookOf(
      moments.map((createdAt) => ({ ...asked(''), lead: { ...asked('').lead, createdAt } })),
    )
    const cells = moments.map((_, index) => sheet.getCell(index + 2, 1).value)
    expect(cells.slice(0, 2).map(whole)).toEqual(['0000-01-01 01:00', '1900-02-28 23:59'])
    expect(cells.slice(2)).toEqual([new Date('1900-03-01T00:00:00Z'), new Date('9999-12-31T23:59:00Z')])
  })

  test('holds what looks like an escape of spreadsheets so that none of them takes it for one', async () => {
    const at = columns.findIndex(({ name }) => name === 'question') + 1
    const question = '_x000D_ _x0041_x0042_ _x00\u00010D_'
    const sheet = await workbookOf([asked(question)])
    const { value } = sheet.getCell(2, at)
    expect(whole(value)).toBe('_x000D_ _x0041_x0042_ _x000D_')
    expect(JSON.stringify(value)).not.toMatch(/_x[0-9a-f]{4}_/i)
  })

  test('has a frozen header, a filter over every row, widths, and formats that keep texts and dates', async () => {
    const [lead] = fc.sample(exportedLead, 1)
    const sheet = await workbookOf(lead ? [lead, lead] : [])
    expect(sheet.name).toBe('Intresseanmälningar')
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 })
    expect(sheet.autoFilter).toBe('A1:Q3')
    expect(sheet.getRow(1).values).toEqual([undefined, ...columns.map(({ header }) => header)])
    expect(sheet.getColumn(columns.findIndex(({ name }) => name === 'question') + 1).width).toBeGreaterThan(40)
    expect(sheet.getCell('A2').numFmt.replaceAll('\\', '')).toBe('yyyy-mm-dd hh:mm')
  })

  test('prints as wide as a page on its side, with the header on each', async () => {
    const { pageSetup } = await workbookOf([asked('Hej')])
    expect(pageSetup).toMatchObject({ orientation: 'landscape', paperSize: 9, fitToPage: true })
    expect(pageSetup).toMatchObject({ fitToWidth: 1, fitToHeight: 0, printTitlesRow: '1:1' })
  })

  test('says so when a cell could not hold the whole text', async () => {
    const question = '👩'.repeat(50_000)
    const sheet = await workbookOf([asked(question)])
    const text = String(sheet.getCell(2, columns.findIndex(({ name }) => name === 'question') + 1).value)
    expect(text.length).toBeLessThanOrEqual(32_767)
    expect(text.isWellFormed()).toBe(true)
    expect(text).toMatch(/👩 … \[avkortat\]$/u)
  })
})

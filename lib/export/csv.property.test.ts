import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportColumnSchema } from '@/lib/contract/export'
import { exportedLead, hostileText } from '@/lib/export/testing/arbitrary-leads'
import { WORDS } from '@/lib/export/testing/words'
import { momentText } from '@/lib/time/stockholm'
import { csvHeader, csvRow } from './csv'
import { exportColumns, type ExportedLead } from './export-cells'

const columns = exportColumns(exportColumnSchema.options, WORDS)
const delimiters = [';', ',', '\t'] as const

/** What stands on the screen, cell by cell. */
function shown(exported: ExportedLead): string[] {
  return columns.map((column) => {
    const value = column.cell(exported)
    if (typeof value === 'number') return column.kind === 'moment' ? momentText(value) : String(value)
    // Half a surrogate pair, which is no character, cannot be written in any encoding.
    return value?.toWellFormed() ?? ''
  })
}

describe('a CSV file', () => {
  test('is read by a strict RFC 4180 reader as what was on screen, with at most an apostrophe before it', () => {
    fc.assert(
      fc.property(fc.array(exportedLead, { maxLength: 5 }), fc.constantFrom(...delimiters), (leads, delimiter) => {
        const file = csvHeader(columns, delimiter) + leads.map((lead) => csvRow(columns, lead, delimiter)).join('')
        const read: string[][] = parse(file.toWellFormed(), { delimiter, record_delimiter: '\r\n' })
        expect(read[0]).toEqual(columns.map(({ header }) => header))
        expect(read).toHaveLength(leads.length + 1)
        for (const [index, lead] of leads.entries()) {
          const cells = shown(lead)
          read[index + 1]?.forEach((cell, at) => expect([cells[at], `'${cells[at]}`]).toContain(cell))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('holds no cell that a spreadsheet could take for a formula, but phones in groups of digits', () => {
    fc.assert(
      fc.property(exportedLead, (lead) => {
        const [cells = []]: string[][] = parse(csvRow(columns, lead, ';').toWellFormed(), {
          delimiter: ';',
          record_delimiter: '\r\n',
        })
        const others = cells.filter((cell) => !/^\+\d+( \d+)+$/.test(cell))
        expect(others.filter((cell) => /^(?:[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/.test(cell))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('keeps a question of 100 kB whole', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const question = `Hej ${text}\r\n`.repeat(Math.ceil(100_000 / (text.length + 6)))
        const only = exportColumns(['question'], WORDS)
        const lead = { id: 'q', highSchoolId: 's', highSchoolName: 's', createdAt: '', question }
        const sender = { mode: 'email', phone: null, email: null }
        const triage = { status: 'new', assignee: null, updatedAt: null } as const
        const file = csvRow(only, { lead: { ...lead, sender }, triage, school: '' }, ';')
        expect(parse(file.toWellFormed(), { delimiter: ';', record_delimiter: '\r\n' })).toEqual([
          [question.toWellFormed()],
        ])
      }),
      { numRuns: 20 },
    )
  })
})

import type { ExportColumn, ExportedLead } from './export-cells'
import { harmless } from './harmless'
import { GROUPED_PHONE } from './phone-in-file'
import { momentText } from './stockholm-clock'

/** Delimiters of every dialect: a file read with another one than it was written with keeps its cells whole. */
const NEEDS_QUOTES = /[;,\t|"\r\n]|^\s|\s$/

export function csvHeader(columns: readonly ExportColumn[], delimiter: string): string {
  return `${columns.map(({ header }) => quoted(harmless(header))).join(delimiter)}\r\n`
}

/** One record (RFC 4180) of a lead, with its line break. No cell of it can be a formula. */
export function csvRow(columns: readonly ExportColumn[], exported: ExportedLead, delimiter: string): string {
  let line = ''
  for (const [index, column] of columns.entries()) {
    if (index > 0) line += delimiter
    line += csvCell(column, column.cell(exported))
  }
  // A record of one empty cell would be an empty line, which readers pass over.
  return line === '' ? '""\r\n' : `${line}\r\n`
}

function csvCell({ kind }: ExportColumn, value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return kind === 'moment' ? momentText(value) : harmless(String(value))
  return quoted(GROUPED_PHONE.test(value) ? value : harmless(value))
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

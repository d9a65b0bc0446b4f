import { momentText } from '@/lib/time/stockholm'
import { type ExportColumn, type ExportedLead, GROUPED_PHONE } from './export-cells'

/** The header of a CSV file, with its line break. */
export function csvHeader(columns: readonly ExportColumn[], delimiter: string): string {
  return `${columns.map(({ header }) => csvText(header)).join(delimiter)}\r\n`
}

/** One record (RFC 4180) of a lead, with its line break. No cell of it can be a formula. */
export function csvRow(columns: readonly ExportColumn[], exported: ExportedLead, delimiter: string): string {
  let line = ''
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index]
    if (index > 0) line += delimiter
    if (column !== undefined) line += csvCell(column, column.cell(exported))
  }
  // A record of one empty cell would be an empty line, which readers pass over.
  return line === '' ? '""\r\n' : `${line}\r\n`
}

function csvCell({ kind }: ExportColumn, value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return kind === 'moment' ? momentText(value) : harmless(String(value))
  return value.startsWith('+') && GROUPED_PHONE.test(value) ? quoted(value) : csvText(value)
}

/** A text as a cell of its own: harmless, and quoted where that is needed. */
export function csvText(text: string): string {
  return quoted(harmless(text))
}

/** Delimiters of every dialect: a file read with another one than it was written with keeps its cells whole. */
const NEEDS_QUOTES = /[;,\t|"\r\n]|^\s|\s$/

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * What a spreadsheet may take for a formula: `= + - @` first, also in full width and behind white space or characters that
 * cannot be seen, and a first tab or line break (OWASP, CSV Injection).
 */
const DANGEROUS = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u2212])/u

/** What most texts begin with; a formula cannot. */
const PLAIN_START = /^[a-z0-9]/i

/** The text with an apostrophe before it if a spreadsheet could take it for a formula; any other text is left alone. */
export function harmless(text: string): string {
  return !PLAIN_START.test(text) && DANGEROUS.test(text) ? `'${text}` : text
}

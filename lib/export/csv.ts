import { composeLetters } from '@/lib/leads/plain-characters'
import { formatClock } from '@/lib/time/stockholm'
import type { ExportColumn, ExportedLead } from './export-cells'
import { GROUPED_PHONE } from './file-phone'

export function formatCsvHeader(columns: readonly ExportColumn[], delimiter: string): string {
  return `${columns.map(({ header }) => escapeCsvText(header)).join(delimiter)}\r\n`
}

/** Writes one record (RFC 4180) of a lead, with its line break. No cell can be a formula. */
export function formatCsvRow(columns: readonly ExportColumn[], exported: ExportedLead, delimiter: string): string {
  let line = ''
  let separator = ''
  for (const column of columns) {
    line += separator
    separator = delimiter
    const value = column.readCell(exported)
    if (typeof value === 'number') line += column.kind === 'moment' ? formatClock(value) : escapeCsvText(String(value))
    // No formula has digits in groups, so such a phone keeps its plus sign.
    else if (value !== null) line += value.startsWith('+') && GROUPED_PHONE.test(value) ? value : escapeCsvText(value)
  }
  // A record of one empty cell would be an empty line, which readers skip.
  return line === '' ? '""\r\n' : `${line}\r\n`
}

type Cell = string | number | null
export type CsvTable = { columns: readonly string[]; rows: readonly (readonly Cell[])[] }

/** Swedish spreadsheets open UTF-8 with a byte order mark, semicolons and decimal commas by a double click. */
export function formatFiguresCsv({ columns, rows }: CsvTable): string {
  const formatCell = (cell: Cell) =>
    typeof cell === 'number' ? String(cell).replace('.', ',') : escapeCsvText(cell ?? '')
  return `\u{feff}${[columns, ...rows].map((row) => `${row.map(formatCell).join(';')}\r\n`).join('')}`
}

/** Most names, ids and addresses are so plain that they can skip the slower checks. */
const PLAIN_TEXT = /^[\wåäöéÅÄÖÉ](?:[\wåäöéÅÄÖÉ .:@/-]*[\wåäöéÅÄÖÉ])?$/

export function escapeCsvText(text: string): string {
  return PLAIN_TEXT.test(text) ? text : quote(neutralizeFormulas(composeLetters(text)))
}

/** Some reader takes each of these characters for the end of a line (Unicode Standard, 5.8). */
const LINE_BREAKS = String.raw`\r\n\v\f\u0085\u2028\u2029`

/** The delimiters of every dialect count, so that cells stay whole when a file is read with another one. */
const NEEDS_QUOTES = new RegExp(String.raw`[;,\t|"${LINE_BREAKS}]|^\s|\s$`)

function quote(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A formula begins with these, also after invisible characters, or with a tab or line break (OWASP, CSV Injection). */
const FORMULA_START = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u2212]`
const IGNORED_CHARACTER = String.raw`[\s\p{Cc}\p{Cf}"']`
const FORMULA_AT_START = new RegExp(String.raw`^(?:[\t${LINE_BREAKS}]|${IGNORED_CHARACTER}*${FORMULA_START})`, 'u')

/** The lookahead for a formula inside a text ends at the next separator, so that no text is read twice. */
const UP_TO_SEPARATOR = String.raw`(?:(?![\t${LINE_BREAKS}])${IGNORED_CHARACTER})*`
/** At a delimiter or, ignoring quotes, a line break, another reader may see a formula, a tab or a carriage return. */
const FORMULA_INSIDE = new RegExp(
  String.raw`[;,\t|${LINE_BREAKS}](?=${UP_TO_SEPARATOR}${FORMULA_START})|[;,|${LINE_BREAKS}](?=${UP_TO_SEPARATOR}\t)|[;,\t|](?=${UP_TO_SEPARATOR}\r(?!\n))`,
  'gu',
)

/** Puts an apostrophe wherever a spreadsheet could see a formula begin, whichever delimiter it reads. */
export function neutralizeFormulas(text: string): string {
  const inside = text.replace(FORMULA_INSIDE, "$&'")
  return FORMULA_AT_START.test(text) ? `'${inside}` : inside
}

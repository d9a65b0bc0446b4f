import type { ExportColumnName } from '@/lib/contract/export'
import type { ExportColumn, ExportedLead } from './export-cells'
import { styles } from './xlsx-parts'
import { xmlCharacters, xmlText } from './xml-text'

/** ECMA-376 and Excel's own limits. */
export const MOST_ROWS = 1_048_575
const MOST_CHARACTERS = 32_767

/** Days from the spreadsheet's day 0 (30 December 1899) to 1 January 1970. */
const DAYS_BEFORE_1970 = 25_569
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

const widths: Record<ExportColumnName, number> = {
  createdAt: 17,
  school: 28,
  firstName: 16,
  lastName: 20,
  sender: 30,
  email: 32,
  phone: 19,
  year: 9,
  mode: 13,
  question: 60,
  status: 12,
  assignee: 20,
  id: 38,
  highSchoolId: 24,
}

/** The sheet up to its rows: a frozen header and widths. */
export function sheetStart(columns: readonly ExportColumn[], rowCount: number): string {
  const cols = columns
    .map(({ name, header }, at) => {
      const width = Math.max(widths[name], header.length + 4)
      return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
    })
    .join('')
  const header = columns.map((column, at) => textCell(`${letters(at)}1`, column.header, styles.header, '')).join('')
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="${range(columns, rowCount)}"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols}</cols><sheetData><row r="1">${header}</row>`
}

/** The sheet after its rows: a filter over all of them, and no complaints about numbers that are text on purpose. */
export function sheetEnd(columns: readonly ExportColumn[], rowCount: number): string {
  const all = range(columns, rowCount)
  return `</sheetData><autoFilter ref="${all}"/><ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
}

/** `A1:K1205`: all cells with the header. */
export function range(columns: readonly ExportColumn[], rowCount: number): string {
  return `A1:${letters(columns.length - 1)}${rowCount + 1}`
}

/** Answers how a lead is written as row `row` (the header is 1). There is no formula in it, whatever the texts. */
export function sheetRows(
  columns: readonly ExportColumn[],
  cut: string,
): (exported: ExportedLead, row: number) => string {
  const places = columns.map((_, at) => letters(at))
  return (exported, row) => {
    let cells = ''
    for (const [at, column] of columns.entries()) {
      const value = column.cell(exported)
      if (value === null || value === '') continue
      const place = `${places[at]}${row}`
      if (typeof value === 'string') cells += textCell(place, value, styles.text, cut)
      else if (column.kind === 'moment') cells += `<c r="${place}" s="${styles.moment}"><v>${serial(value)}</v></c>`
      else cells += `<c r="${place}"><v>${value}</v></c>`
    }
    return `<row r="${row}">${cells}</row>`
  }
}

function textCell(place: string, text: string, style: number, cut: string): string {
  const known = xmlCharacters(text)
  const fitting = known.length > MOST_CHARACTERS ? shortened(known, cut) : known
  const runs = LIKE_ESCAPE.test(fitting) ? fitting.split(WITHIN_ESCAPE).map(run).join('') : textElement(fitting)
  return `<c r="${place}" s="${style}" t="inlineStr"><is>${runs}</is></c>`
}

/**
 * `_x000D_` in somebody's text is what spreadsheets write for a control (ECMA-376, 22.9.2.19), and only some readers know how
 * it is escaped again. Parted into two runs it is a text like any other to all of them.
 */
const LIKE_ESCAPE = /_x[0-9a-f]{4}_/i
const WITHIN_ESCAPE = /(?<=_x[0-9a-f]{4})(?=_)/i

function run(text: string): string {
  return `<r>${textElement(text)}</r>`
}

function textElement(text: string): string {
  return `<t xml:space="preserve">${xmlText(text)}</t>`
}

/** Never half a character, and never unsaid. */
function shortened(text: string, cut: string): string {
  const kept = text.slice(0, MOST_CHARACTERS - cut.length)
  return (/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept) + cut
}

/** To the minute, as in every other format. */
function serial(stockholmMs: number): number {
  return DAYS_BEFORE_1970 + (Math.floor(stockholmMs / MINUTE_MS) * MINUTE_MS) / DAY_MS
}

function letters(at: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + at)
}

import { cutText } from '@/lib/cut-text'
import { composeLetters } from '@/lib/leads/plain-characters'
import { DAY_MS, MINUTE_MS } from '@/lib/time/durations'
import { formatClock } from '@/lib/time/stockholm'
import type { ExportColumn, ExportedLead } from './export-cells'

/** Excel has one row more, which is the header. */
export const MAX_LEAD_ROWS = 1_048_575
const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
/** These are the indexes of `cellXfs` in the style sheet. */
const STYLES = { header: 1, text: 2, moment: 3 } as const
const FILTER_BUTTON_WIDTH = 4
const SHEET_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

export function formatSheetStart(columns: readonly ExportColumn[], rowCount: number): string {
  const cols = columns
    .map(({ width, header }, index) => {
      const widthWithButton = Math.max(width, header.length + FILTER_BUTTON_WIDTH)
      return `<col min="${index + 1}" max="${index + 1}" width="${widthWithButton}" customWidth="1"/>`
    })
    .join('')
  const header = columns
    .map((column, index) => formatTextCell(`${toColumnLetter(index)}1`, column.header, STYLES.header, ''))
    .join('')
  return `${XML_DECLARATION}<worksheet xmlns="${SHEET_NAMESPACE}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><dimension ref="${toCellRange(columns, rowCount)}"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols}</cols><sheetData><row r="1">${header}</row>`
}

/** An earlier moment is written as text, because spreadsheets lack its day or count a 29 February 1900. */
const FIRST_SERIAL_MS = Date.UTC(1900, 2, 1)

/** Returns the function that writes a lead as a row (the header is row 1). No text becomes a formula. */
export function createRowFormatter(columns: readonly ExportColumn[], ellipsis: string) {
  const columnLetters = columns.map((_, index) => toColumnLetter(index))
  return (exported: ExportedLead, row: number): string => {
    let cells = ''
    for (const [index, column] of columns.entries()) {
      const value = column.readCell(exported)
      if (value === null || value === '') continue
      const reference = `${columnLetters[index]}${row}`
      if (typeof value === 'string') cells += formatTextCell(reference, value, STYLES.text, ellipsis)
      else if (column.kind !== 'moment') cells += `<c r="${reference}"><v>${value}</v></c>`
      else if (value < FIRST_SERIAL_MS) cells += formatTextCell(reference, formatClock(value), STYLES.text, ellipsis)
      else cells += `<c r="${reference}" s="${STYLES.moment}"><v>${toSerial(value)}</v></c>`
    }
    return `<row r="${row}">${cells}</row>`
  }
}

/** Ends the sheet: filter buttons, paper (A4 landscape, one page wide), and no warnings of numbers as text. */
export function formatSheetEnd(columns: readonly ExportColumn[], rowCount: number): string {
  const cellRange = toCellRange(columns, rowCount)
  return `</sheetData><autoFilter ref="${cellRange}"/><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/><ignoredErrors><ignoredError sqref="${cellRange}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
}

function toCellRange(columns: readonly ExportColumn[], rowCount: number): string {
  return `A1:${toColumnLetter(columns.length - 1)}${rowCount + 1}`
}

function toColumnLetter(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index)
}

/** Spreadsheets count days from 30 December 1899, which is 25 569 days before 1970. Seconds are left out. */
function toSerial(ms: number): number {
  return 25_569 + (Math.floor(ms / MINUTE_MS) * MINUTE_MS) / DAY_MS
}

/** Excel allows no more characters in a cell. A longer text is cut and ends with the ellipsis. */
const MAX_CELL_LENGTH = 32_767
/** Spreadsheets read `_x000D_` as a control character (ECMA-376, 22.9.2.19). In two runs it is plain text to all. */
const ESCAPE_LOOKALIKE = /_x[0-9a-f]{4}_/i
const ESCAPE_SPLIT_POINT = /(?<=_x[0-9a-f]{4})(?=_)/i
/** XML 1.0 cannot hold these in any spelling: controls other than tab and line breaks, and non-characters. */
const FORBIDDEN_CHARACTERS = /(?![\t\n\r\x7f-\x9f])\p{Cc}|[\ufffe\uffff]/gu
const NEEDS_ESCAPE = /[&<>"\ufffe\uffff]|(?![\t\n\x7f-\x9f])\p{Cc}/u

function formatTextCell(reference: string, text: string, style: number, ellipsis: string): string {
  const composed = composeLetters(text).toWellFormed()
  const allowed = NEEDS_ESCAPE.test(composed) ? composed.replace(FORBIDDEN_CHARACTERS, '') : composed
  const isTooLong = allowed.length > MAX_CELL_LENGTH
  const fitting = isTooLong ? cutText(allowed, MAX_CELL_LENGTH - ellipsis.length) + ellipsis : allowed
  const element = (part: string) => `<t xml:space="preserve">${escapeXml(part)}</t>`
  const runs = ESCAPE_LOOKALIKE.test(fitting)
    ? fitting.split(ESCAPE_SPLIT_POINT).map((part) => `<r>${element(part)}</r>`)
    : [element(fitting)]
  return `<c r="${reference}" s="${style}" t="inlineStr"><is>${runs.join('')}</is></c>`
}

const XML_SPECIALS = /[&<>"\r]/g

/** A carriage return is escaped too, because readers take a bare one for a line feed. */
function escapeXml(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replace(XML_SPECIALS, (character) => `&#${character.charCodeAt(0)};`) : text
}

export const SHEET_PATH = 'xl/worksheets/sheet1.xml'
const RELATIONSHIP_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const CONTENT_TYPE_PREFIX = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const STYLE_SHEET = `${XML_DECLARATION}<styleSheet xmlns="${SHEET_NAMESPACE}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFEDF1F7"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

/** Makes a workbook's files except its sheet (ECMA-376, Office Open XML). `[Content_Types].xml` must come first. */
export function createWorkbookParts(sheetName: string, columns: readonly ExportColumn[], rowCount: number) {
  const name = escapeXml(sheetName)
  const absoluteRange = toCellRange(columns, rowCount).replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2')
  return Object.entries({
    '[Content_Types].xml': `${XML_DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT_TYPE_PREFIX}.sheet.main+xml"/><Override PartName="/${SHEET_PATH}" ContentType="${CONTENT_TYPE_PREFIX}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT_TYPE_PREFIX}.styles+xml"/></Types>`,
    '_rels/.rels': formatRelationships({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': `${XML_DECLARATION}<workbook xmlns="${SHEET_NAMESPACE}" xmlns:r="${RELATIONSHIP_NAMESPACE}"><bookViews><workbookView/></bookViews><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${name}'!${absoluteRange}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">'${name}'!$1:$1</definedName></definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': formatRelationships({ worksheet: 'worksheets/sheet1.xml', styles: 'styles.xml' }),
    'xl/styles.xml': STYLE_SHEET,
  })
}

function formatRelationships(targetsByType: Readonly<Record<string, string>>): string {
  const relationships = Object.entries(targetsByType).map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONSHIP_NAMESPACE}/${type}" Target="${target}"/>`,
  )
  return `${XML_DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationships.join('')}</Relationships>`
}

import { csvText } from '@/lib/export/csv'

export type Cell = string | number | null
/** The figures of a chart: also its table, its file and what a screen reader reads. */
export type Figures = { columns: readonly string[]; rows: readonly (readonly Cell[])[] }

/** As Swedish and other spreadsheets open it by a double click: UTF-8 with its mark, semicolons, CRLF (RFC 4180). */
export function figuresCsv({ columns, rows }: Figures): string {
  return `\u{feff}${[columns, ...rows].map((row) => `${row.map(cellText).join(';')}\r\n`).join('')}`
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell).replace('.', ',')
  return csvText(cell)
}

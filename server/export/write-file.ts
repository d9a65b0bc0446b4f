import 'server-only'
import type { CsvDelimiter, CsvEncoding, ExportColumnName, ExportFormat } from '@/lib/contract/export'
import { csvHeader, csvRow } from '@/lib/export/csv'
import { exportColumns } from '@/lib/export/export-cells'
import type { ExportWords } from '@/lib/export/export-words'
import { createStockholmClock } from '@/lib/export/stockholm-clock'
import { vcard } from '@/lib/export/vcard'
import { SHEET_PATH, workbookParts } from '@/lib/export/xlsx-parts'
import { range, sheetEnd, sheetRows, sheetStart } from '@/lib/export/xlsx-sheet'
import { createTextEncoder } from './encode-text'
import type { ExportedRows } from './exported-rows'
import { inSlices } from './in-slices'
import { zip } from './zip'

export type FileOrder = {
  rows: Pick<ExportedRows, 'count' | 'at'>
  columns: readonly ExportColumnName[]
  words: ExportWords
  delimiter: CsvDelimiter
  encoding: CsvEncoding
  uid: (leadId: string) => string
  /** Gives others their turn. */
  rest: () => Promise<void>
  written: (count: number) => void
}
export type FileFormat = Exclude<ExportFormat, 'emails'>

/** The bytes of a file, made as fast as they are read. */
export function writeFile(format: FileFormat, order: FileOrder): AsyncGenerator<Uint8Array> {
  switch (format) {
    case 'csv':
      return csvFile(order)
    case 'xlsx':
      return xlsxFile(order)
    case 'vcf':
      return vcardFile(order)
    default:
      return format satisfies never
  }
}

async function* csvFile(order: FileOrder): AsyncGenerator<Uint8Array> {
  const { rows, delimiter } = order
  const columns = exportColumns(order.columns, order.words, createStockholmClock())
  const encode = createTextEncoder(order.encoding)
  yield encode(csvHeader(columns, delimiter))
  const line = (index: number) => csvRow(columns, rows.at(index), delimiter)
  for await (const text of inSlices({ ...order, count: rows.count, line })) yield encode(text)
}

function xlsxFile(order: FileOrder): AsyncGenerator<Uint8Array> {
  const { rows, words } = order
  const columns = exportColumns(order.columns, words, createStockholmClock())
  const row = sheetRows(columns, words.cut)
  const line = (index: number) => row(rows.at(index), index + 2)
  async function* sheet(): AsyncGenerator<string> {
    yield sheetStart(columns, rows.count)
    yield* inSlices({ ...order, count: rows.count, line })
    yield sheetEnd(columns, rows.count)
  }
  const parts = workbookParts(words.sheet, range(columns, rows.count))
  return zip([...parts.map(([path, xml]) => ({ path, chunks: [xml] })), { path: SHEET_PATH, chunks: sheet() }])
}

async function* vcardFile(order: FileOrder): AsyncGenerator<Uint8Array> {
  const context = { words: order.words, clock: createStockholmClock(), uid: order.uid }
  const encode = createTextEncoder('utf-8')
  const line = (index: number) => vcard(order.rows.at(index), context)
  for await (const text of inSlices({ ...order, count: order.rows.count, line })) yield encode(text)
}

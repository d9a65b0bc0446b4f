import 'server-only'
import type { CsvDelimiter, CsvEncoding, ExportColumnName, ExportFormat } from '@/lib/contract/export'
import { formatCsvHeader, formatCsvRow } from '@/lib/export/csv'
import { createExportColumns, type ExportColumn, type ExportLabels } from '@/lib/export/export-cells'
import { formatVcard } from '@/lib/export/vcard'
import { encodeWindows1252, fitWindows1252 } from '@/lib/export/windows-1252'
import {
  createRowFormatter,
  createWorkbookParts,
  formatSheetEnd,
  formatSheetStart,
  SHEET_PATH,
} from '@/lib/export/xlsx'
import { createPacer } from '@/server/feed/pausable'
import type { ExportRows } from './export-selection'
import { zip } from './zip'

export type FileContent = {
  rows: Pick<ExportRows, 'count' | 'read'>
  columns: readonly ExportColumnName[]
  labels: ExportLabels
  delimiter: CsvDelimiter
  encoding: CsvEncoding
  createUid: (leadId: string) => string
  onWritten: (sentRows: number) => void
}
export type FileFormat = Exclude<ExportFormat, 'emails'>

export async function* streamExportFile(format: FileFormat, content: FileContent): AsyncGenerator<Uint8Array> {
  const { rows, labels, delimiter, encoding } = content
  if (format === 'vcf') {
    const encode = createTextEncoder('utf-8')
    for await (const text of streamLines(content, (index) => formatVcard(rows.read(index), content))) yield encode(text)
    return
  }
  const columns = createExportColumns(content.columns, labels)
  if (format === 'xlsx') {
    const formatRow = createRowFormatter(columns, labels.cutSuffix)
    const streamSheet = async function* () {
      yield formatSheetStart(columns, rows.count)
      yield* streamLines(content, (index) => formatRow(rows.read(index), index + 2))
      yield formatSheetEnd(columns, rows.count)
    }
    const parts = createWorkbookParts(labels.sheetName, columns, rows.count)
    yield* zip([...parts.map(([path, xml]) => ({ path, chunks: [xml] })), { path: SHEET_PATH, chunks: streamSheet() }])
    return
  }
  const encode = createTextEncoder(encoding)
  const encodableColumns = columns.map((column): ExportColumn => {
    if (encoding !== 'windows-1252') return column
    const readCell: ExportColumn['readCell'] = (exported) => {
      const value = column.readCell(exported)
      return typeof value === 'string' ? fitWindows1252(value) : value
    }
    return { ...column, readCell }
  })
  yield encode(formatCsvHeader(encodableColumns, delimiter))
  const formatLine = (index: number) => formatCsvRow(encodableColumns, rows.read(index), delimiter)
  for await (const text of streamLines(content, formatLine)) yield encode(text)
}

const SAMPLES = 60

export async function estimateBytes(format: FileFormat, content: FileContent): Promise<number> {
  const { count, read } = content.rows
  const samples = Math.min(SAMPLES, count)
  const countBytes = async (rowCount: number): Promise<number> => {
    const rows = { count: rowCount, read: (index: number) => read(Math.floor((index * count) / samples)) }
    let bytes = 0
    const sample = { ...content, rows, onWritten: () => undefined }
    for await (const chunk of streamExportFile(format, sample)) bytes += chunk.length
    return bytes
  }
  const withoutRows = await countBytes(0)
  return Math.ceil(withoutRows + (((await countBytes(samples)) - withoutRows) * count) / samples)
}

/** Enough for the network, and few enough for a progress bar. */
const CHUNK_LENGTH = 48_000
const LINES_PER_CHECK = 8

/** Writes the lines of all rows as they are read, so that a slow reader costs no memory. */
async function* streamLines(content: FileContent, formatLine: (index: number) => string): AsyncGenerator<string> {
  const { rows, onWritten } = content
  const pauseWhenDue = createPacer()
  let text = ''
  for (let index = 0; index < rows.count; index++) {
    text += formatLine(index)
    if (text.length >= CHUNK_LENGTH) {
      yield text
      text = ''
      onWritten(index + 1)
    }
    if (index % LINES_PER_CHECK === 0) await pauseWhenDue()
  }
  if (text !== '') yield text
  onWritten(rows.count)
}

export function createTextEncoder(encoding: CsvEncoding): (text: string) => Uint8Array {
  let byteOrderMark = encoding === 'utf-8' || encoding === 'windows-1252' ? '' : '\ufeff'
  return (text) => {
    const marked = byteOrderMark + text.toWellFormed()
    byteOrderMark = ''
    if (encoding === 'windows-1252') return encodeWindows1252(marked)
    return Buffer.from(marked, encoding === 'utf-16le' ? 'utf16le' : 'utf8')
  }
}

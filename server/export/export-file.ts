import type { ExportColumnName, ExportFormat, ExportRequest } from '@/lib/contract/export'
import { formatCsvHeader, formatCsvRow } from '@/lib/export/csv'
import { createExportColumns, type ExportColumn, type ExportedLead, type ExportLabels } from '@/lib/export/export-cells'
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
  delimiter: ExportRequest['delimiter']
  encoding: ExportRequest['encoding']
  createUid: (leadId: string) => string
  onWritten: (writtenRowCount: number) => void
}
export type FileFormat = Exclude<ExportFormat, 'emails'>

export function streamExportFile(format: FileFormat, content: FileContent): AsyncGenerator<Uint8Array> {
  if (format === 'vcf') return streamCards(content)
  return format === 'xlsx' ? streamWorkbook(content) : streamCsv(content)
}

async function* streamCards(content: FileContent) {
  const encode = createTextEncoder('utf-8')
  for await (const cards of streamLines(content, (lead) => formatVcard(lead, content))) yield encode(cards)
}

/** Rows are counted from 1, and the first is the header. */
const FIRST_LEAD_ROW = 2

async function* streamWorkbook(content: FileContent) {
  const { rows, labels } = content
  const columns = createExportColumns(content.columns, labels)
  const formatRow = createRowFormatter(columns, labels.truncationSuffix)
  const streamSheet = async function* () {
    yield formatSheetStart(columns, rows.count)
    yield* streamLines(content, (lead, index) => formatRow(lead, index + FIRST_LEAD_ROW))
    yield formatSheetEnd(columns, rows.count)
  }
  const parts = createWorkbookParts(labels.sheetName, columns, rows.count)
  yield* zip([...parts.map(([path, xml]) => ({ path, chunks: [xml] })), { path: SHEET_PATH, chunks: streamSheet() }])
}

async function* streamCsv(content: FileContent) {
  const { labels, delimiter, encoding } = content
  const encode = createTextEncoder(encoding)
  const allColumns = createExportColumns(content.columns, labels)
  const columns = encoding === 'windows-1252' ? allColumns.map(fitColumn) : allColumns
  yield encode(formatCsvHeader(columns, delimiter))
  for await (const lines of streamLines(content, (lead) => formatCsvRow(columns, lead, delimiter))) yield encode(lines)
}

/** Texts are fitted before they are made harmless, because the nearest sign of Windows-1252 may begin a formula. */
function fitColumn(column: ExportColumn): ExportColumn {
  const readCell = (lead: ExportedLead) => {
    const value = column.readCell(lead)
    return typeof value === 'string' ? fitWindows1252(value) : value
  }
  return { ...column, readCell }
}

const MAX_SAMPLE_ROWS = 60

/** Writes the header and some rows, evenly spread, to estimate the size of the whole file. */
export async function estimateBytes(format: FileFormat, content: FileContent): Promise<number> {
  const { count, read } = content.rows
  const sampleCount = Math.min(MAX_SAMPLE_ROWS, count)
  const countBytes = async (rowCount: number): Promise<number> => {
    const rows = { count: rowCount, read: (index: number) => read(Math.floor((index * count) / sampleCount)) }
    let bytes = 0
    const sample = { ...content, rows, onWritten: () => undefined }
    for await (const chunk of streamExportFile(format, sample)) bytes += chunk.length
    return bytes
  }
  const emptyFileBytes = await countBytes(0)
  const sampleBytes = (await countBytes(sampleCount)) - emptyFileBytes
  return Math.ceil(emptyFileBytes + (sampleBytes * count) / sampleCount)
}

/** Chunks of this length use the network well, and are small enough for a progress bar. */
const CHUNK_LENGTH = 48_000
const LINES_PER_PAUSE_CHECK = 8

/** Formats rows only as fast as the chunks are read, so that a slow reader costs no memory. */
async function* streamLines(
  { rows, onWritten }: FileContent,
  formatLine: (lead: ExportedLead, index: number) => string,
): AsyncGenerator<string> {
  const pauseWhenDue = createPacer()
  let text = ''
  for (let index = 0; index < rows.count; index++) {
    text += formatLine(rows.read(index), index)
    if (text.length >= CHUNK_LENGTH) {
      yield text
      text = ''
      onWritten(index + 1)
    }
    if (index % LINES_PER_PAUSE_CHECK === 0) await pauseWhenDue()
  }
  if (text !== '') yield text
  onWritten(rows.count)
}

/** The encoder writes a byte order mark before the first text if the encoding has one. */
export function createTextEncoder(encoding: ExportRequest['encoding']): (text: string) => Uint8Array {
  let byteOrderMark = encoding === 'utf-8' || encoding === 'windows-1252' ? '' : '\ufeff'
  return (text) => {
    const markedText = byteOrderMark + text.toWellFormed()
    byteOrderMark = ''
    if (encoding === 'windows-1252') return encodeWindows1252(markedText)
    return Buffer.from(markedText, encoding === 'utf-16le' ? 'utf16le' : 'utf8')
  }
}

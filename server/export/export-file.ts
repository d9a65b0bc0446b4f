import 'server-only'
import type { CsvDelimiter, CsvEncoding, ExportColumnName, ExportFormat } from '@/lib/contract/export'
import { csvHeader, csvRow } from '@/lib/export/csv'
import { type ExportColumn, type ExportWords, exportColumns } from '@/lib/export/export-cells'
import { vcard } from '@/lib/export/vcard'
import { encodeWindows1252, fitWindows1252 } from '@/lib/export/windows-1252'
import { SHEET_PATH, sheetEnd, sheetRows, sheetStart, workbookParts } from '@/lib/export/xlsx'
import type { ExportedRows } from './export-selection'
import { zip } from './zip'

export type FileContent = {
  rows: Pick<ExportedRows, 'count' | 'at'>
  columns: readonly ExportColumnName[]
  words: ExportWords
  delimiter: CsvDelimiter
  encoding: CsvEncoding
  uid: (leadId: string) => string
  pause: () => Promise<void>
  onWritten: (count: number) => void
}
export type FileFormat = Exclude<ExportFormat, 'emails'>

export function writeFile(format: FileFormat, content: FileContent): AsyncGenerator<Uint8Array> {
  return { csv: csvFile, xlsx: xlsxFile, vcf: vcardFile }[format](content)
}

async function* csvFile(content: FileContent): AsyncGenerator<Uint8Array> {
  const { rows, delimiter, encoding } = content
  const encode = createTextEncoder(encoding)
  const columns = exportColumns(content.columns, content.words).map((column): ExportColumn => {
    if (encoding !== 'windows-1252') return column
    const cell: ExportColumn['cell'] = (exported) => {
      const value = column.cell(exported)
      return typeof value === 'string' ? fitWindows1252(value) : value
    }
    return { ...column, cell }
  })
  yield encode(csvHeader(columns, delimiter))
  const line = (index: number) => csvRow(columns, rows.at(index), delimiter)
  for await (const text of inSlices({ ...content, count: rows.count, line })) yield encode(text)
}

function xlsxFile(content: FileContent): AsyncGenerator<Uint8Array> {
  const { rows, words } = content
  const columns = exportColumns(content.columns, words)
  const row = sheetRows(columns, words.cut)
  const line = (index: number) => row(rows.at(index), index + 2)
  async function* sheet(): AsyncGenerator<string> {
    yield sheetStart(columns, rows.count)
    yield* inSlices({ ...content, count: rows.count, line })
    yield sheetEnd(columns, rows.count)
  }
  const parts = workbookParts(words.sheet, columns, rows.count)
  return zip([...parts.map(([path, xml]) => ({ path, chunks: [xml] })), { path: SHEET_PATH, chunks: sheet() }])
}

async function* vcardFile(content: FileContent): AsyncGenerator<Uint8Array> {
  const context = { words: content.words, uid: content.uid }
  const encode = createTextEncoder('utf-8')
  const line = (index: number) => vcard(content.rows.at(index), context)
  for await (const text of inSlices({ ...content, count: content.rows.count, line })) yield encode(text)
}

const SAMPLES = 60

export async function estimateBytes(format: FileFormat, content: FileContent): Promise<number> {
  const { count, at } = content.rows
  const samples = Math.min(SAMPLES, count)
  const bytesOf = async (rowCount: number): Promise<number> => {
    const rows = { count: rowCount, at: (index: number) => at(Math.floor((index * count) / samples)) }
    let bytes = 0
    for await (const chunk of writeFile(format, { ...content, rows, onWritten: () => undefined })) bytes += chunk.length
    return bytes
  }
  const withoutRows = await bytesOf(0)
  return Math.ceil(withoutRows + (((await bytesOf(samples)) - withoutRows) * count) / samples)
}

/** Characters: large enough for the network, small enough for a progress bar. */
const CHUNK_LENGTH = 48_000
const SLICE_MS = 4
const LINES_PER_LOOK = 8

/** On demand, with a pause after each, so that a slow reader costs no memory. `onWritten` gets the lines sent. */
async function* inSlices(options: {
  count: number
  line: (index: number) => string
  pause: () => Promise<void>
  onWritten: (count: number) => void
}): AsyncGenerator<string> {
  const { count, line, pause, onWritten } = options
  let text = ''
  let sliceEnd = performance.now() + SLICE_MS
  for (let index = 0; index < count; index++) {
    text += line(index)
    const isLong = text.length >= CHUNK_LENGTH
    if (!isLong && (index % LINES_PER_LOOK !== 0 || performance.now() < sliceEnd)) continue
    if (isLong) {
      yield text
      text = ''
      onWritten(index + 1)
    }
    await pause()
    sliceEnd = performance.now() + SLICE_MS
  }
  if (text !== '') yield text
  onWritten(count)
}

export function createTextEncoder(encoding: CsvEncoding): (text: string) => Uint8Array {
  let mark = encoding === 'utf-8' || encoding === 'windows-1252' ? '' : '\ufeff'
  return (text) => {
    const marked = mark + text.toWellFormed()
    mark = ''
    if (encoding === 'windows-1252') return encodeWindows1252(marked)
    return Buffer.from(marked, encoding === 'utf-16le' ? 'utf16le' : 'utf8')
  }
}

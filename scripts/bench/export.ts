import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { stringify } from 'csv-stringify'
import ExcelJS from 'exceljs'
import type { ExportColumnName } from '@/lib/contract/export'
import { type ExportColumn, exportColumns, type ExportedLead } from '@/lib/export/export-cells'
import { WORDS } from '@/lib/export/testing/words'
import { type FileFormat, writeFile } from '@/server/export/export-file'
import { invented, tableOf } from './invented-lists'
import { collectGarbage, costOf, median, nextTurn } from './measure'

const RUNS = 5
const MEGABYTE = 1e6
const PERSON: ExportColumnName[] = ['firstName', 'lastName', 'sender', 'email', 'phone', 'year']
const COLUMNS: ExportColumnName[] = ['createdAt', 'school', ...PERSON, 'status', 'assignee', 'id', 'highSchoolId']

type Source = { count: number; read: (index: number) => ExportedLead }
type Writer = (source: Source) => AsyncIterable<Uint8Array>

export async function run(): Promise<object[]> {
  const source = await declarations()
  const columns = exportColumns(COLUMNS, WORDS)
  const cells = Array.from({ length: source.count }, (_, index) => cellsOf(columns, source.read(index)))
  const rows: object[] = []
  for (const [file, theirs] of [
    ['csv', () => stringified(cells)],
    ['xlsx', () => writeWithExcelJs(columns, cells)],
  ] as const) {
    const library = await measured(file, file === 'csv' ? 'csv-stringify' : 'exceljs', source, theirs)
    const ours = await measured(file, 'Intag', source, ourWriter(file))
    rows.push(...[ours, library].map((row) => ({ ...row, 'of the library alone': row.ms / library.ms })))
  }
  rows.push({ ...(await measured('vcf', 'Intag', source, ourWriter('vcf'))), 'of the library alone': Number.NaN })
  return rows
}

async function declarations(): Promise<Source> {
  const table = await tableOf('declaration-of-interest', invented().declarationsOfInterest)
  const triage = { status: 'new', assignee: null, updatedAt: null } as const
  return {
    count: table.size,
    read: (index) => ({ lead: table.lead(index), triage, school: table.schoolIds[table.school[index] ?? 0] ?? '' }),
  }
}

function ourWriter(format: FileFormat): Writer {
  const uid = randomUUID()
  return (rows) =>
    writeFile(format, {
      rows,
      columns: COLUMNS,
      words: WORDS,
      delimiter: ';',
      encoding: 'utf-8-bom',
      uid: () => uid,
      pause: nextTurn,
      onWritten: () => undefined,
    })
}

type Cells = (string | number | Date | null)[]

function cellsOf(columns: readonly ExportColumn[], exported: ExportedLead): Cells {
  return columns.map((column) => {
    const value = column.cell(exported)
    return column.kind === 'moment' && typeof value === 'number' ? new Date(value) : value
  })
}

function stringified(cells: readonly Cells[]): AsyncIterable<Uint8Array> {
  const cast = { date: (date: Date) => date.toISOString() }
  const stringifier = stringify({ delimiter: ';', bom: true, record_delimiter: 'windows', cast })
  void (async () => {
    for (const row of cells)
      if (!stringifier.write(row)) await new Promise((resolve) => stringifier.once('drain', resolve))
    stringifier.end()
  })()
  return stringifier
}

function writeWithExcelJs(columns: readonly ExportColumn[], cells: readonly Cells[]): AsyncIterable<Uint8Array> {
  const stream = new PassThrough()
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useSharedStrings: false, useStyles: false })
  const sheet = workbook.addWorksheet('Intresseanmälningar')
  sheet.columns = columns.map(({ header }) => ({ header }))
  void (async () => {
    for (const [index, row] of cells.entries()) {
      sheet.addRow(row).commit()
      if (index % 500 === 0) await nextTurn()
    }
    await workbook.commit()
  })()
  return stream
}

async function measured(file: string, by: string, source: Source, write: Writer) {
  const times: number[] = []
  const firsts: number[] = []
  const [worst, size] = [{ memory: 0, stall: 0 }, { bytes: 0 }]
  for (let count = 0; count <= RUNS; count++) {
    await collectGarbage()
    const before = memory()
    const start = performance.now()
    let first = 0
    let max = before
    const { ms, stallCpuMs } = await costOf(async () => {
      size.bytes = 0
      for await (const chunk of write(source)) {
        first ||= performance.now() - start
        size.bytes += chunk.length
        max = Math.max(max, memory())
      }
    })
    if (count === 0) continue
    times.push(ms)
    firsts.push(first)
    worst.memory = Math.max(worst.memory, max - before)
    worst.stall = Math.max(worst.stall, stallCpuMs)
  }
  return {
    file,
    by,
    rows: source.count,
    ms: median(times),
    'first byte ms': median(firsts),
    MB: size.bytes / MEGABYTE,
    'memory at most, MB': worst.memory / MEGABYTE,
    'longest stall, processor time ms': worst.stall,
  }
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

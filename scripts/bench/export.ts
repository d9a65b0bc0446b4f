import { randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import ExcelJS from 'exceljs'
import type { ExportColumnName } from '@/lib/contract/export'
import { type ExportColumn, createExportColumns, type ExportedLead } from '@/lib/export/export-cells'
import { WORDS } from '@/lib/export/testing/words'
import { streamExportFile } from '@/server/export/export-file'
import { inventLists, buildTable } from './invented-lists'
import { collectGarbage, measureCost, median, readMemory, nextTurn } from './measure'

const RUNS = 5
const MEGABYTE = 1e6
const PERSON: ExportColumnName[] = ['firstName', 'lastName', 'sender', 'email', 'phone', 'year']
const COLUMNS: ExportColumnName[] = ['createdAt', 'school', ...PERSON, 'status', 'assignee', 'id', 'highSchoolId']

type Writer = () => AsyncIterable<Uint8Array>

/** Compares the export of tier XL with the libraries alone, which get the finished cells. */
export async function run(): Promise<object[]> {
  const table = await buildTable('declaration-of-interest', inventLists().declarationsOfInterest)
  const triage = { status: 'new', assignee: null, updatedAt: null } as const
  const read = (index: number): ExportedLead => {
    return { lead: table.getLead(index), triage, school: table.schoolIds[table.schoolIndex[index] ?? 0] ?? '' }
  }
  const columns = createExportColumns(COLUMNS, WORDS)
  const cells = Array.from({ length: table.size }, (_, index) => readCells(columns, read(index)))
  const libraries = {
    csv: ['csv-stringify', () => writeWithCsvStringify(cells)],
    xlsx: ['exceljs', () => writeWithExcelJs(columns, cells)],
  } as const
  const rows: object[] = []
  for (const file of ['csv', 'xlsx'] as const) {
    const uid = randomUUID()
    const request = { columns: COLUMNS, labels: WORDS, delimiter: ';', encoding: 'utf-8-bom' } as const
    const callbacks = { createUid: () => uid, onWritten: () => undefined }
    const ours = () => streamExportFile(file, { rows: { count: table.size, read }, ...request, ...callbacks })
    const [name, theirs] = libraries[file]
    const alone = await measureWriter(theirs)
    const intag = await measureWriter(ours)
    rows.push({ file, program: 'Intag', rows: table.size, ...intag, 'of the library alone': intag.ms / alone.ms })
    rows.push({ file, program: name, rows: table.size, ...alone, 'of the library alone': 1 })
  }
  return rows
}

type Cells = (string | number | Date | null)[]

function readCells(columns: readonly ExportColumn[], exported: ExportedLead): Cells {
  return columns.map((column) => {
    const value = column.readCell(exported)
    return column.kind === 'moment' && typeof value === 'number' ? new Date(value) : value
  })
}

function writeWithCsvStringify(cells: readonly Cells[]): AsyncIterable<Uint8Array> {
  const cast = { date: (date: Date) => date.toISOString() }
  return Readable.from(cells).pipe(stringify({ delimiter: ';', bom: true, record_delimiter: 'windows', cast }))
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

/** Returns medians, and the worst memory and stall. The first run only warms up. */
async function measureWriter(write: Writer) {
  const runs: { ms: number; first: number; bytes: number; held: number; stallMs: number }[] = []
  for (let count = 0; count <= RUNS; count++) {
    await collectGarbage()
    const [before, start] = [readMemory(), performance.now()]
    const seen = { first: 0, bytes: 0, held: 0 }
    const { ms, stallMs } = await measureCost(async () => {
      for await (const chunk of write()) {
        seen.first ||= performance.now() - start
        seen.bytes += chunk.length
        seen.held = Math.max(seen.held, readMemory() - before)
      }
    })
    if (count > 0) runs.push({ ms, stallMs, ...seen })
  }
  return {
    ms: median(runs.map(({ ms }) => ms)),
    'first byte ms': median(runs.map(({ first }) => first)),
    MB: (runs[0]?.bytes ?? 0) / MEGABYTE,
    'memory at most, MB': Math.max(...runs.map(({ held }) => held)) / MEGABYTE,
    'longest stall, processor ms': Math.max(...runs.map(({ stallMs }) => stallMs)),
  }
}

import type { Lead, LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { buildTable } from './build-table'
import { NO_TEXT } from './columns'
import { BrokenBodyError, parseValue, readJsonList } from './json-list'
import { type Pausable, runInSlices } from './pausable'
import { createRecordReader, type Records } from './records'
import { LEAD_READERS, type LeadOfKind, type LeadReader, REPEATED_ID, type UnreadableRecord } from './service-records'

/** A list as one answer sent it. Leads are parsed from the body on demand, so its bytes must never change. */
export type IngestedList<L extends Lead> = {
  readonly body: Buffer
  readonly records: Records
  readonly parseLead: (position: number) => L
  readonly table: LeadTable<L>
  readonly unreadable: readonly UnreadableRecord[]
  readonly findPosition: (id: string) => number
  readonly repeatedIds: readonly string[]
}

/** `changedIds` are the leads that came, went or changed. `isChanged` is also true if more or fewer are set aside. */
export type LeadsReading<L extends Lead> =
  | { ok: true; list: IngestedList<L>; isChanged: boolean; changedIds: readonly string[] }
  | { ok: false; detail: string }

/** Reads a whole list or refuses it; records that are no leads are set aside. `detail` has no personal data. */
export async function readLeads<K extends LeadKind>(
  kind: K,
  bytes: Uint8Array,
  previous: IngestedList<LeadOfKind[K]> | null = null,
): Promise<LeadsReading<LeadOfKind[K]>> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (previous?.body.equals(body)) return { ok: true, list: previous, isChanged: false, changedIds: [] }
  try {
    return await runInSlices(readChanges(kind, LEAD_READERS[kind], body, previous))
  } catch (error) {
    if (error instanceof BrokenBodyError) return { ok: false, detail: error.message }
    throw error
  }
}

const IDS_PER_PAUSE = 256

function* readChanges<L extends Lead>(
  kind: LeadKind,
  readLead: LeadReader<L>,
  body: Buffer,
  previous: IngestedList<L> | null,
): Pausable<LeadsReading<L>> {
  const createReader = () => createRecordReader(readLead, body, previous)
  const reader = yield* readJsonList(body, LISTS_BY_KIND[kind].field, createReader)
  yield
  const { records, parsedIds, isReused } = reader.finish()
  const list = yield* createList(kind, readLead, body, records)
  if (previous === null) return { ok: true, list, isChanged: true, changedIds: list.table.id }
  const candidateIds = new Set([...parsedIds, ...previous.repeatedIds, ...list.repeatedIds])
  yield
  previous.records.columns.id.forEach((id, position) => isReused[position] === 0 && candidateIds.add(id))
  const changedIds: string[] = []
  let comparedCount = 0
  for (const id of candidateIds) {
    if (comparedCount++ % IDS_PER_PAUSE === 0) yield
    const previousPosition = previous.findPosition(id)
    const position = list.findPosition(id)
    const isInBoth = previousPosition !== -1 && position !== -1
    const isSame = isInBoth ? isSameLead(previous, previousPosition, list, position) : previousPosition === position
    if (!isSame) changedIds.push(id)
  }
  const isChanged = changedIds.length > 0 || previous.unreadable.length !== list.unreadable.length
  return { ok: true, list, isChanged, changedIds }
}

function* createList<L extends Lead>(
  kind: LeadKind,
  readLead: LeadReader<L>,
  body: Buffer,
  records: Records,
): Pausable<IngestedList<L>> {
  const { starts, ends, columns, faults } = records
  const parseLead = (position: number): L => {
    const start = starts[position]
    const reading = start === undefined ? null : readLead(parseValue(body, start, ends[position] ?? start))
    if (!reading?.ok) throw new RangeError(`no lead at ${position}`)
    return reading.value
  }
  const source = { body, records, parseLead }
  const { table, findPosition, repeats } = yield* buildTable(kind, columns, faults.indexes, parseLead)
  const unreadable: UnreadableRecord[] = []
  faults.indexes.forEach((fault, index) => {
    if (fault === NO_TEXT) return
    unreadable.push({ index, id: columns.id[index] || null, reason: faults.texts[fault] ?? '' })
  })
  // The same lead twice is harmless; another lead under its id is set aside.
  for (const [index, { position, firstPosition }] of repeats.entries()) {
    if (index % IDS_PER_PAUSE === 0) yield
    if (isSameLead(source, position, source, firstPosition)) continue
    unreadable.push({ index: position, id: columns.id[position] ?? null, reason: REPEATED_ID })
  }
  unreadable.sort((a, b) => a.index - b.index)
  const repeatedIds = [...new Set(repeats.map(({ position }) => columns.id[position] ?? ''))]
  return { ...source, table, unreadable, findPosition, repeatedIds }
}

type LeadSource = Pick<IngestedList<Lead>, 'body' | 'records' | 'parseLead'>

function isSameLead(a: LeadSource, positionA: number, b: LeadSource, positionB: number): boolean {
  const bytesA = a.body.subarray(a.records.starts[positionA], a.records.ends[positionA])
  const bytesB = b.body.subarray(b.records.starts[positionB], b.records.ends[positionB])
  return bytesA.equals(bytesB) || JSON.stringify(a.parseLead(positionA)) === JSON.stringify(b.parseLead(positionB))
}

import 'server-only'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { leadFormat, type LeadFormat, type LeadOfKind, REPEATED_ID, type UnreadableRecord } from './service-records'
import { buildTable, type Repeat } from './build-table'
import { BrokenBody, parseValue } from './json-list'
import { NO_TEXT } from './lead-columns'
import { type Pausable, runInSlices } from './pausable'
import { readRecords, type Records, type RecordsReading } from './records'

/** One list as one answer had it. Nobody may write to its body: leads are read out of it. */
export type IngestedList<L extends Lead> = LeadSource<L> & {
  readonly table: LeadTable<L>
  readonly unreadable: readonly UnreadableRecord[]
  readonly positionOf: (id: string) => number
  readonly repeatedIds: readonly string[]
}

type LeadSource<L extends Lead> = {
  readonly body: Buffer
  readonly records: Records
  readonly leadAt: (position: number) => L
}

type LeadsToRead<K extends LeadKind> = {
  kind: K
  body: Uint8Array
  previous?: IngestedList<LeadOfKind[K]> | undefined
  yield: () => Promise<void>
}

/** `changed`: a lead or a set-aside record came, went or changed; bytes alone may differ. */
export type LeadsReading<L extends Lead> =
  | ({ ok: true; list: IngestedList<L>; changed: boolean } & ListChanges)
  | { ok: false; detail: string }

type ListChanges = { added: readonly string[]; removed: readonly string[]; changedIds: readonly string[] }

/** A whole list or nothing; odd records are set aside. `detail` has no personal data. Yields to the event loop. */
export async function readLeads<K extends LeadKind>(input: LeadsToRead<K>): Promise<LeadsReading<LeadOfKind[K]>> {
  const { previous = null } = input
  const body = Buffer.from(input.body.buffer, input.body.byteOffset, input.body.byteLength)
  if (previous?.body.equals(body)) return { ok: true, list: previous, changed: false, ...NO_CHANGES }
  const work = read({ kind: input.kind, format: leadFormat(input.kind), body, previous })
  try {
    return await runInSlices(work, input.yield)
  } catch (error) {
    if (error instanceof BrokenBody) return { ok: false, detail: error.message }
    throw error
  }
}

const NO_CHANGES: ListChanges = { added: [], removed: [], changedIds: [] }

type BodyToRead<L extends Lead> = {
  kind: LeadKind
  format: LeadFormat<L>
  body: Buffer
  previous: IngestedList<L> | null
}

function* read<L extends Lead>({ kind, format, body, previous }: BodyToRead<L>): Pausable<LeadsReading<L>> {
  const reading = yield* readRecords(format, body, previous)
  const list = yield* listOf(kind, leadSource(format, body, reading.records))
  if (previous === null) return { ok: true, list, changed: true, ...NO_CHANGES, added: list.table.id }
  const changes = yield* diffLists(previous, list, reading)
  const changed =
    changes.added.length + changes.removed.length + changes.changedIds.length > 0 ||
    !isSameSetAside(previous.unreadable, list.unreadable)
  return { ok: true, list, changed, ...changes }
}

/** Their places shift with every new lead. */
function isSameSetAside(a: readonly UnreadableRecord[], b: readonly UnreadableRecord[]): boolean {
  return a.length === b.length && a.every(({ id, reason }, at) => b[at]?.id === id && b[at].reason === reason)
}

function leadSource<L extends Lead>(format: LeadFormat<L>, body: Buffer, records: Records): LeadSource<L> {
  const { starts, ends } = records
  const leadAt = (position: number): L => {
    const start = starts[position]
    const reading = start === undefined ? null : format.read(parseValue(body, start, ends[position] ?? start))
    if (!reading?.ok) throw new RangeError(`no lead at ${position}`)
    return reading.value
  }
  return { body, records, leadAt }
}

const REPEATS_PER_PAUSE = 256

function* listOf<L extends Lead>(kind: LeadKind, source: LeadSource<L>): Pausable<IngestedList<L>> {
  const { records, leadAt } = source
  const { columns, faults } = records
  const { table, positionOf, repeats } = yield* buildTable({ kind, columns, faults: faults.indexes, leadAt })
  const unreadable = [...faultyRecords(records), ...(yield* contradictingRecords(source, repeats))]
  unreadable.sort((a, b) => a.index - b.index)
  const repeatedIds = [...new Set(repeats.map(({ position }) => columns.id[position] ?? ''))]
  return { ...source, table, unreadable, positionOf, repeatedIds }
}

function faultyRecords({ columns, faults }: Records): UnreadableRecord[] {
  if (faults.texts.length === 0) return []
  const unreadable: UnreadableRecord[] = []
  faults.indexes.forEach((fault, index) => {
    if (fault !== NO_TEXT) unreadable.push({ index, id: columns.id[index] || null, reason: faults.texts[fault] ?? '' })
  })
  return unreadable
}

/** The same lead twice is harmless; another lead under its id is set aside. */
function* contradictingRecords<L extends Lead>(source: LeadSource<L>, repeats: readonly Repeat[]) {
  const unreadable: UnreadableRecord[] = []
  for (const [count, { position, first }] of repeats.entries()) {
    if (count % REPEATS_PER_PAUSE === 0) yield
    if (isSameLead(source, position, source, first)) continue
    unreadable.push({ index: position, id: source.records.columns.id[position] ?? null, reason: REPEATED_ID })
  }
  return unreadable
}

const IDS_PER_PAUSE = 256

function* diffLists<L extends Lead>(before: IngestedList<L>, after: IngestedList<L>, reading: RecordsReading) {
  const added: string[] = []
  const removed: string[] = []
  const changedIds: string[] = []
  let count = 0
  for (const id of yield* idsToCompare(before, after, reading)) {
    if (count++ % IDS_PER_PAUSE === 0) yield
    const old = before.positionOf(id)
    const current = after.positionOf(id)
    if (old === -1 && current !== -1) added.push(id)
    else if (old !== -1 && current === -1) removed.push(id)
    else if (old !== -1 && !isSameLead(before, old, after, current)) changedIds.push(id)
  }
  return { added, removed, changedIds }
}

function* idsToCompare<L extends Lead>(
  before: IngestedList<L>,
  after: IngestedList<L>,
  { fresh, reused }: RecordsReading,
): Pausable<Set<string>> {
  const ids = new Set([...before.repeatedIds, ...after.repeatedIds])
  const add = (id: string | undefined) => id !== undefined && ids.add(id)
  let position = -1
  while ((position = reused.indexOf(0, position + 1)) !== -1) {
    add(before.records.columns.id[position])
    if (ids.size % IDS_PER_PAUSE === 0) yield
  }
  for (const freshPosition of fresh) {
    add(after.records.columns.id[freshPosition])
    if (ids.size % IDS_PER_PAUSE === 0) yield
  }
  return ids
}

function isSameLead<L extends Lead>(a: LeadSource<L>, positionA: number, b: LeadSource<L>, positionB: number): boolean {
  if (isSameText(a, positionA, b, positionB)) return true
  return JSON.stringify(a.leadAt(positionA)) === JSON.stringify(b.leadAt(positionB))
}

function isSameText<L extends Lead>(a: LeadSource<L>, positionA: number, b: LeadSource<L>, positionB: number): boolean {
  const textB = b.body.subarray(b.records.starts[positionB], b.records.ends[positionB])
  return a.body.subarray(a.records.starts[positionA], a.records.ends[positionA]).equals(textB)
}

import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import type { LeadFormat } from '@/server/upstream/wire/lead-format'
import { parseValue } from './json-text'
import type { RecordStore } from './record-store'

/** A body and its records, out of which leads are read when somebody asks for one. */
export type LeadSource<L extends Lead> = {
  readonly body: Buffer
  readonly records: RecordStore
  /** The lead that is the record at this position. Throws a RangeError where there is none. */
  readonly leadAt: (position: number) => L
}

export function createLeadSource<L extends Lead>(
  format: LeadFormat<L>,
  body: Buffer,
  records: RecordStore,
): LeadSource<L> {
  const { starts, ends } = records
  const leadAt = (position: number): L => {
    const start = starts[position]
    const reading = start === undefined ? null : format.read(parseValue(body, start, ends[position] ?? start))
    if (!reading?.ok) throw new RangeError(`no lead at ${position}`)
    return reading.value
  }
  return { body, records, leadAt }
}

/** Whether two records are the same lead; white space, order and fields that we ignore may differ. */
export function isSameLead<L extends Lead>(
  a: LeadSource<L>,
  positionA: number,
  b: LeadSource<L>,
  positionB: number,
): boolean {
  if (isSameText(a, positionA, b, positionB)) return true
  return JSON.stringify(a.leadAt(positionA)) === JSON.stringify(b.leadAt(positionB))
}

function isSameText<L extends Lead>(a: LeadSource<L>, positionA: number, b: LeadSource<L>, positionB: number): boolean {
  const textB = b.body.subarray(b.records.starts[positionB], b.records.ends[positionB])
  return a.body.subarray(a.records.starts[positionA], a.records.ends[positionA]).equals(textB)
}

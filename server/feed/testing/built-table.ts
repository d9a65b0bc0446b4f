import type { AskedQuestion, DeclarationOfInterest, Lead, LeadKind } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { buildTable } from '@/server/feed/build-table'
import { NO_TEXT } from '@/server/feed/columns'
import { createColumnBuilder } from '@/server/feed/lead-columns'

/** Builds the table of a few leads as from a body. Of leads with the same id the first stays. */
export function builtTableOf(kind: 'asked-question', leads: readonly AskedQuestion[]): LeadTable<AskedQuestion>
export function builtTableOf(
  kind: 'declaration-of-interest',
  leads: readonly DeclarationOfInterest[],
): LeadTable<DeclarationOfInterest>
export function builtTableOf(kind: LeadKind, leads: readonly Lead[]): LeadTable {
  const builder = createColumnBuilder()
  const copies = [...leads]
  for (const lead of copies) builder.add(lead)
  const parseLead = (position: number): Lead => {
    const lead = copies[position]
    if (lead === undefined) throw new RangeError(`no lead at ${position}`)
    return lead
  }
  const faults = new Uint32Array(copies.length).fill(NO_TEXT)
  const work = buildTable(kind, builder.finish(), faults, parseLead)
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value.table
}

import type { AskedQuestion, DeclarationOfInterest, Lead, LeadKind } from '@/lib/contract/lead'
import { assembleTable } from '@/lib/leads/columns/assemble-table'
import { createColumnBuilder } from '@/lib/leads/columns/lead-columns'
import { runToEnd } from '@/lib/leads/columns/work'
import type { LeadTable } from './lead-table'

/** The table of a few leads that are objects already. Of leads with the same id the first stays. */
export function leadTableOf(kind: 'asked-question', leads: readonly AskedQuestion[]): LeadTable<AskedQuestion>
export function leadTableOf(
  kind: 'declaration-of-interest',
  leads: readonly DeclarationOfInterest[],
): LeadTable<DeclarationOfInterest>
export function leadTableOf(kind: LeadKind, leads: readonly Lead[]): LeadTable {
  const builder = createColumnBuilder()
  const kept = [...leads]
  for (const lead of kept) builder.add(lead)
  const leadAt = (position: number): Lead => {
    const lead = kept[position]
    if (lead === undefined) throw new RangeError(`no lead at ${position}`)
    return lead
  }
  return runToEnd(assembleTable({ kind, columns: builder.finish(), faults: null, leadAt })).table
}

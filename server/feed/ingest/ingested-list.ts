import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { UnreadableRecord } from '@/server/upstream/wire/unreadable-record'
import type { LeadSource } from './lead-source'

/** One list of the service as one answer had it. Nobody may write to its body: the table reads leads out of it. */
export type IngestedList<L extends Lead> = LeadSource<L> & {
  readonly table: LeadTable<L>
  /** Records that cannot be read, in the order sent. */
  readonly unreadable: readonly UnreadableRecord[]
  /** Which record is the lead with this id, or -1. */
  readonly positionOf: (id: string) => number
  /** Ids that occur more than once in the body. */
  readonly repeatedIds: readonly string[]
}

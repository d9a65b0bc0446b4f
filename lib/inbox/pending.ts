import type { LeadItem, LeadPage } from '@/lib/api/leads'
import type { Asked } from '@/lib/api/send'
import type { Day } from '@/lib/contract/day'
import type { Contact, LeadKind } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'

/** Where a tab keeps decisions that the server may not have yet (`lib/inbox/unsent.ts`). */
export const UNSENT_KEY = 'intag:unsent'

export type CountsOf = { kind: LeadKind; filter: LeadFilter }
/** `schools`: those that the day counts, or none for all; `me`: the user's id. */
export type DayOf = { schools: readonly string[]; me: string | null }

/** What the user's own changes make of the server's answers; another object after every change. */
export type Pending = {
  lead: <Item extends LeadItem>(kind: LeadKind, item: Item, asked: Asked) => Item
  page: (page: LeadPage) => LeadPage
  contact: (contact: Contact & Asked) => Contact
  counts: (counts: ListCounts & Asked, of: CountsOf) => ListCounts
  day: (day: Day & Asked, of: DayOf) => Day
}

/** Until the first decision every answer is shown as it is, without the code that lays changes over it. */
export const NOTHING_PENDING: Pending = {
  lead: (_kind, item) => item,
  page: (page) => page,
  contact: (contact) => contact,
  counts: (counts) => counts,
  day: (day) => day,
}

import type { QueryClient } from '@tanstack/react-query'
import { type LeadItem, type LeadListQuery, type ListOrQueue, PAGE_SIZE } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { isStillSnoozed } from '@/lib/inbox/own-changes'
import { leadKey } from '@/lib/leads/lead-key'
import { fetchItems } from './list-rows'

type NextLeadSearch = {
  today: string
  userId: string | undefined
  client: QueryClient
  listOrQueue: ListOrQueue
  query: LeadListQuery
  rows: { count: number; rowAt: (index: number) => LeadItem | undefined }
  /** These leads are done, though rows and server may not show it yet. */
  justDecided: readonly LeadRef[]
}

const MAX_REQUESTS = 20

/**
 * Finds the next lead to work on, below the row `start` and then from the top: one that is new, or in progress and no
 * colleague's. In a list without new leads it is the row below. The search gives up after `MAX_REQUESTS` pages.
 */
export async function findNextLead(
  { today, userId, client, listOrQueue, query, rows, justDecided }: NextLeadSearch,
  start: number,
): Promise<{ item: LeadItem; index: number } | 'none' | 'gave-up'> {
  const doneKeys = new Set(justDecided.map(leadKey))
  const mayListNew = query.status === undefined || query.status.includes('new')
  // Snoozed leads are passed over, except in a list of them.
  const isSnoozedWanted = query.snoozed === true || listOrQueue === 'snoozed'
  const isWanted = (item: LeadItem) => {
    if (doneKeys.has(toLeadKey(item)) || (!isSnoozedWanted && isStillSnoozed(item.snoozeUntil, today))) return false
    const { status, assignee } = item.triage
    const isMineOrUnassigned = assignee === null || assignee.id === userId
    return !mayListNew || status === 'new' || (status === 'in-progress' && isMineOrUnassigned)
  }
  const belowCount = Math.max(0, rows.count - start - 1)
  const aboveCount = mayListNew ? Math.min(Math.max(0, start), rows.count) : 0
  const fetchedPages = new Map<number, readonly LeadItem[]>()
  for (let step = 0; step < belowCount + aboveCount; step++) {
    const index = step < belowCount ? start + 1 + step : step - belowCount
    const offset = index - (index % PAGE_SIZE)
    if (rows.rowAt(index) === undefined && !fetchedPages.has(offset)) {
      if (fetchedPages.size === MAX_REQUESTS) return 'gave-up'
      fetchedPages.set(offset, await fetchItems(client, listOrQueue, query, offset))
    }
    const item = rows.rowAt(index) ?? fetchedPages.get(offset)?.[index - offset]
    if (item !== undefined && isWanted(item)) return { item, index }
  }
  return 'none'
}

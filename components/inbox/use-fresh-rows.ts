'use client'

import type { ListCounts } from '@/lib/contract/list-counts'
import type { LeadListQuery } from '@/lib/api/lead-page'
import { freshRows } from '@/lib/inbox/row-layout'
import type { ListRows } from './use-list-rows'

/** The first rows that came since the last visit; `since` is when that ended, ms. */
export type FreshRows = { count: number; since: number }

const NONE: FreshRows = { count: 0, since: 0 }

/** How many of the rows on screen are new to the person. In another order than newest first they are not together. */
export function useFreshRows(rows: ListRows, query: LeadListQuery, counts: ListCounts | undefined): FreshRows {
  const since = Date.parse(counts?.freshSince ?? '')
  if (counts === undefined || Number.isNaN(since) || query.sort !== '-createdAt' || query.fresh === true) return NONE
  const isFresh = (index: number) => {
    const item = rows.rowAt(index)
    return item === undefined ? undefined : Date.parse(item.createdAt) > since
  }
  return { count: freshRows(counts.fresh - rows.held, rows.count, isFresh), since }
}

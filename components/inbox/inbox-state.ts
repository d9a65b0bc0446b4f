import type { LeadSelection } from '@/components/export/export-dialog'
import type { ExternalStore } from '@/components/ui/external-store'
import { isQueue, type LeadItem, type ListOrQueue } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import type { ListCounts, Matching } from '@/lib/contract/list-query'
import type { ListDescription } from '@/lib/contract/lists'
import { withoutSort } from '@/lib/inbox/filter-params'
import { kindOf, toLeadKey } from '@/lib/inbox/lead-text'
import {
  findNextRow,
  findOpenLead,
  findSubject,
  isMarking,
  type ListState,
  type Surroundings,
} from '@/lib/inbox/list-state'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/own-changes'
import { countFreshRows, deadlineHeadings, ROW_HEIGHTS, type RowLayout } from '@/lib/inbox/row-layout'
import { parseLeadKey } from '@/lib/leads/lead-key'
import type { ListFilters } from './list-filters'
import type { ListRows } from './list-rows'

/** The state of the inbox at one moment. */
export type InboxState = Surroundings & {
  listOrQueue: ListOrQueue
  /** Null in a queue. */
  description: ListDescription | null
  filters: ListFilters
  rows: ListRows
  counts: ListCounts | undefined
  listState: ListState
  dialog: InboxDialog | null
  /** How many leads the server changes right now. */
  changingCount: number | null
  /** Whether the user points at the rows, so that none may move. */
  areRowsFrozen: boolean
}

/** Actions read the latest state from this store when they are called. */
export type InboxStore = ExternalStore<InboxState>

/** A file has leads of one list only. */
export type ListTarget = { list: LeadList; target: LeadSelection; count: number }

type PendingDecision = { count: number; decision: TriageDecision; onYes: () => void }

export type InboxDialog =
  /** `item` is the lead that it is about; undefined means the marked leads. */
  | { kind: 'assign' | 'snooze'; count: number; item: LeadItem | undefined }
  | ({ kind: 'confirm' } & PendingDecision)
  | ({ kind: 'drafts'; leads: readonly TriagedLead[] } & PendingDecision)
  | { kind: 'export' | 'copy-emails'; lists: readonly ListTarget[] }
  | { kind: 'save-view' }

/** The filter as the server reads it; null in a queue, which has leads of both lists. */
export function selectMatchingFilter({ description, filters }: InboxState): Matching | null {
  return description && { list: description.list, ...withoutSort(filters.query) }
}

/** Returns the row that keys act on, and the open lead. */
export function selectCursor(state: InboxState) {
  const { listState, rows, isWide } = state
  const { id, row, origin, missingReason } = findSubject(listState, state)
  const openId = findOpenLead(listState, isWide)
  const item = rows.rowAt(row)
  const isSomewhere = row !== -1 || origin !== -1
  return {
    id,
    /** The row that keys act on, or -1. */
    row,
    /** The row from which the cursor moves on: its row, or the one where it was before the lead left the list. */
    origin,
    missingReason,
    openId,
    /** The open lead as the list has it, if it is among the loaded rows. */
    openItem: openId !== null && item !== undefined && toLeadKey(item) === openId ? item : undefined,
    hasPrevious: isSomewhere && findNextRow({ row, origin }, -1) >= 0,
    hasNext: isSomewhere && findNextRow({ row, origin }, 1) < rows.count,
  }
}

export function selectMarks({ listOrQueue, listState: { marks }, rows }: InboxState) {
  const { ids, isAll } = marks
  // *Mark all* means every lead that matches the list's filter, but in a queue only the leads on screen.
  const total = isQueue(listOrQueue) ? rows.count : rows.count + rows.newCount
  const count = isAll ? total : ids.size
  return { ids, isAll, count, total, hasMarks: count > 0, isMarking: isMarking(marks) }
}

/**
 * Returns heights and headings of the rows. A list sorted newest first has a heading above its new rows, a queue one above each
 * deadline. Rows further down that were first seen after `newAfterMs` came late, and are marked one by one.
 */
export function selectLayout({
  counts,
  filters,
  rows,
  listOrQueue,
}: InboxState): RowLayout & { freshCount: number; newAfterMs: number } {
  const rowHeight = ROW_HEIGHTS[isQueue(listOrQueue) ? 'queue' : listOrQueue]
  const layout = { count: rows.count, rowHeight, headings: deadlineHeadings(rows.data?.deadlines) }
  const since = Date.parse(counts?.freshSince ?? '')
  const { sort, fresh: isOnlyFresh } = filters.query
  if (counts === undefined || Number.isNaN(since) || sort !== '-createdAt' || isOnlyFresh === true)
    return { ...layout, freshCount: 0, newAfterMs: Infinity }
  const isFresh = (index: number) => {
    const item = rows.rowAt(index)
    return item === undefined ? undefined : Date.parse(item.seenAt) > since
  }
  const fresh = countFreshRows(counts.fresh - rows.newCount, rows.count, isFresh)
  const headings = [{ kind: 'new', row: 0 } as const, { kind: 'earlier', row: fresh } as const]
  const used = fresh === 0 ? [] : headings.filter(({ row }) => row < rows.count)
  return { ...layout, headings: used, freshCount: fresh, newAfterMs: since }
}

export function toTriagedLead(item: LeadItem): TriagedLead {
  return { kind: kindOf(item), id: item.id, item }
}

/** Returns the leads that are marked one by one, each with its item where that is loaded. */
export function selectMarkedLeads({ listState, rows }: InboxState): readonly TriagedLead[] {
  const loaded = new Map(rows.items().map((item) => [toLeadKey(item), toTriagedLead(item)]))
  return [...listState.marks.ids].map((key) => loaded.get(key) ?? parseLeadKey(key))
}

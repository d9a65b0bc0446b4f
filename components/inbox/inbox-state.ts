import type { CountedTarget } from '@/components/export/export-dialog'
import type { ExternalStore } from '@/components/ui/external-store'
import { isQueue, type LeadItem, type ListOrQueue } from '@/lib/api/leads'
import type { ListCounts, Matching } from '@/lib/contract/list-query'
import type { ListDescription } from '@/lib/contract/lists'
import { omitSort } from '@/lib/inbox/filter-params'
import { toLeadKey, toLeadRef } from '@/lib/inbox/lead-text'
import {
  findNextRow,
  findOpenLead,
  findSubject,
  isMarking,
  type ListState,
  type Surroundings,
} from '@/lib/inbox/list-state'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/own-changes'
import { countFreshRows, createDeadlineHeadings, ROW_HEIGHTS, type RowHeading } from '@/lib/inbox/row-layout'
import { parseLeadKey } from '@/lib/leads/lead-key'
import type { ListFilters } from './list-filters'
import type { ListRows } from './list-rows'

export type InboxState = Surroundings & {
  listOrQueue: ListOrQueue
  /** Null in a queue. */
  description: ListDescription | null
  filters: ListFilters
  rows: ListRows
  counts: ListCounts | undefined
  haveCountsFailed: boolean
  listState: ListState
  dialog: InboxDialog | null
  /** The number of leads that a decision about all matching leads is changing, until the server answers. */
  changingCount: number | null
  areRowsFrozen: boolean
}

export type InboxStore = ExternalStore<InboxState>

export type InboxDialog =
  /** The dialog is about `item`, or about the marked leads if that is undefined. */
  | { kind: 'assign' | 'snooze'; item: LeadItem | undefined }
  | { kind: 'confirm' | 'drafts'; count: number; decision: TriageDecision; onYes: () => void }
  /** A file has leads of one list only, so leads of both lists are two targets. */
  | { kind: 'export' | 'copy-emails'; targets: readonly CountedTarget[] }
  | { kind: 'save-view' }

/** Returns null in a queue, which has leads of both lists. */
export function selectMatchingFilter({ description, filters }: InboxState): Matching | null {
  return description && { list: description.list, ...omitSort(filters.query) }
}

/** Returns the lead that keys act on with its row (`findSubject`), and the open lead. */
export function selectCursor(state: InboxState) {
  const { listState, rows, serverRow, isWide } = state
  const { key, row, origin } = findSubject(listState, state)
  const openKey = findOpenLead(listState, isWide)
  const item = rows.rowAt(row)
  const hasPlace = row !== -1 || origin !== -1
  return {
    key,
    row,
    origin,
    openKey,
    isOpenMissing: openKey !== null && row === -1 && serverRow === null,
    openItem: openKey !== null && item !== undefined && toLeadKey(item) === openKey ? item : undefined,
    hasPrevious: hasPlace && findNextRow({ row, origin }, -1) >= 0,
    hasNext: hasPlace && findNextRow({ row, origin }, 1) < rows.count,
  }
}

export function selectMarks({ listOrQueue, listState: { marks }, rows }: InboxState) {
  const { keys, isAll } = marks
  // *Mark all* marks every lead that matches a list's filter, but of a queue only the leads that are shown.
  const total = isQueue(listOrQueue) ? rows.count : rows.count + rows.newCount
  const count = isAll ? total : keys.size
  return { keys, isAll, count, total, hasMarks: count > 0, isMarking: isMarking(marks) }
}

/**
 * Returns heights and headings of the rows. A list with the newest first has a heading above its `freshCount` new rows,
 * a queue one above each deadline. A lead that the service first sent after `freshAfterMs` is new.
 */
export function selectLayout({ counts, filters, rows, listOrQueue }: InboxState) {
  const layout = { count: rows.count, rowHeight: ROW_HEIGHTS[isQueue(listOrQueue) ? 'queue' : listOrQueue] }
  const freshAfterMs = Date.parse(counts?.freshSince ?? '')
  const { sort, fresh: isOnlyFresh } = filters.query
  if (counts === undefined || Number.isNaN(freshAfterMs) || sort !== '-createdAt' || isOnlyFresh === true)
    return { ...layout, headings: createDeadlineHeadings(rows.data?.deadlines), freshCount: 0, freshAfterMs: Infinity }
  const isFresh = (index: number) => {
    const item = rows.rowAt(index)
    return item && Date.parse(item.seenAt) > freshAfterMs
  }
  const freshCount = countFreshRows(counts.fresh - rows.newCount, rows.count, isFresh)
  const headings: RowHeading[] = []
  if (freshCount > 0) headings.push({ kind: 'new', row: 0 })
  if (freshCount > 0 && freshCount < rows.count) headings.push({ kind: 'earlier', row: freshCount })
  return { ...layout, headings, freshCount, freshAfterMs }
}

/** Tells whether the lead is new, but stands below the other new ones, because its date is earlier. */
export function isBackdated(item: LeadItem, row: number, layout: ReturnType<typeof selectLayout>): boolean {
  return row >= layout.freshCount && Date.parse(item.seenAt) > layout.freshAfterMs
}

export function toTriagedLead(item: LeadItem): TriagedLead {
  return { ...toLeadRef(item), item }
}

/** Returns the leads that are marked one by one, with their items where those are loaded. */
export function selectMarkedLeads({ listState, rows }: InboxState): readonly TriagedLead[] {
  const loaded = new Map(rows.items().map((item) => [toLeadKey(item), toTriagedLead(item)]))
  return [...listState.marks.keys].map((key) => loaded.get(key) ?? parseLeadKey(key))
}

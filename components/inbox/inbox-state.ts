import type { LeadTarget } from '@/components/export/export-dialog'
import type { ShownState } from '@/components/ui/shown-state'
import { isQueue, type LeadItem, type Place } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import type { ListCounts, Matching } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { filterOf } from '@/lib/inbox/filter-params'
import { keyOf, kindOf } from '@/lib/inbox/lead-text'
import {
  isMarking,
  type ListState,
  markedCount,
  openedIn,
  stepFrom,
  subjectOf,
  type Surroundings,
} from '@/lib/inbox/list-state'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/own-changes'
import { refOf } from '@/lib/leads/lead-key'
import { freshRows, deadlineHeadings, ROW_HEIGHTS, type RowLayout } from '@/lib/inbox/row-layout'
import type { QueueParts } from './lead-row'
import type { ListFilters } from './list-filters'
import type { ListRows } from './list-rows'

/** What the screen is made of at one moment. Each part takes of it what it shows, by what follows here. */
export type InboxState = Surroundings & {
  place: Place
  /** A queue's own; null in a list. */
  queue: QueueParts | null
  filters: ListFilters
  rows: ListRows
  counts: ListCounts | undefined
  list: ListState
  dialog: InboxDialog | null
  /** How many leads the server changes right now. */
  changing: number | null
}

/** For acts, which read what is on screen when they are called. */
export type Latest = Pick<ShownState<InboxState>, 'read' | 'show'>

/** A file is of one list. */
export type LeadsOfList = { list: LeadList; target: LeadTarget; count: number }

type Question = { count: number; decision: TriageDecision; onYes: () => void }

export type InboxDialog =
  /** About this lead, or what is marked. */
  | { kind: 'assign' | 'put-aside'; count: number; item: LeadItem | undefined }
  | ({ kind: 'confirm' } & Question)
  | ({ kind: 'drafts'; leads: readonly TriagedLead[] } & Question)
  | { kind: 'export' | 'copy-emails'; lists: readonly LeadsOfList[] }
  | { kind: 'save-view' }

export const descriptionIn = ({ place }: InboxState) => (isQueue(place) ? null : LISTS[place])

/** Whose words and row height it has. */
export const wordsIn = ({ place }: InboxState) => (isQueue(place) ? ('queue' as const) : place)

/** Null in a queue, which is no filter of a list. */
export function matchingIn({ place, filters }: InboxState): Matching | null {
  return isQueue(place) ? null : { list: place, ...filterOf(filters.query) }
}

/** Names the list: another one (a filter, an order, waiting leads shown) is read from its top. */
export const listKeyIn = ({ filters: { query }, rows }: InboxState) => `${JSON.stringify(query)} ${rows.data?.until}`

/** With those that wait; undefined until it is known. */
export function totalIn({ rows: { isPrevious, data, waiting } }: InboxState): number | undefined {
  return isPrevious || data === undefined ? undefined : data.total + waiting
}

/** Where the keys are; while a lead is open, moving opens the next one. */
export function cursorIn(state: InboxState) {
  const { list, rows, isWide } = state
  const { id, row, from, apart } = subjectOf(list, state)
  const openId = openedIn(list, isWide)
  const item = rows.rowAt(row)
  const isSomewhere = row !== -1 || from !== -1
  return {
    id,
    /** The row that the keys are at, or -1. */
    row,
    from,
    apart,
    openId,
    /** The open lead as the list has it, if it is among the loaded rows. */
    openItem: openId !== null && item !== undefined && keyOf(item) === openId ? item : undefined,
    hasPrevious: isSomewhere && stepFrom({ row, from }, -1) >= 0,
    hasNext: isSomewhere && stepFrom({ row, from }, 1) < rows.count,
  }
}

export function marksIn({ place, list: { marks }, rows }: InboxState) {
  const { ids, isAll } = marks
  /** Of a list what matches is marked, whatever it is; of a queue the leads that are shown. */
  const total = isQueue(place) ? rows.count : rows.count + rows.waiting
  const count = markedCount(marks, total)
  return { ids, isAll, count, total, isAny: count > 0, isMarking: isMarking(marks) }
}

/**
 * A list newest first has new rows above the others, a queue its rows by deadline. `newAfter` (ms): new rows further down, that
 * came late, are marked one by one.
 */
export function layoutIn(state: InboxState): RowLayout & { fresh: number; newAfter: number } {
  const { counts, filters, rows, place } = state
  const layout = { count: rows.count, rowHeight: ROW_HEIGHTS[wordsIn(state)] }
  if (isQueue(place)) {
    const deadlines = rows.data?.deadlines
    return { ...layout, headings: deadlines ? deadlineHeadings(deadlines) : [], fresh: 0, newAfter: Infinity }
  }
  const since = Date.parse(counts?.freshSince ?? '')
  const { sort, fresh: isOnlyFresh } = filters.query
  if (counts === undefined || Number.isNaN(since) || sort !== '-createdAt' || isOnlyFresh === true)
    return { ...layout, headings: [], fresh: 0, newAfter: Infinity }
  const isFresh = (index: number) => {
    const item = rows.rowAt(index)
    return item === undefined ? undefined : Date.parse(item.seenAt) > since
  }
  const fresh = freshRows(counts.fresh - rows.waiting, rows.count, isFresh)
  const headings = fresh === 0 ? [] : [{ kind: 'new', row: 0 } as const, { kind: 'earlier', row: fresh } as const]
  return { ...layout, headings: headings.filter(({ row }) => row < rows.count), fresh, newAfter: since }
}

export function leadOf(item: LeadItem): TriagedLead {
  return { kind: kindOf(item), id: item.id, item }
}

/** What is marked one by one, as far as it is loaded with what is on screen. */
export function markedIn({ list, rows }: InboxState): readonly TriagedLead[] {
  const loaded = new Map(rows.items().map((item) => [keyOf(item), leadOf(item)]))
  return [...list.marks.ids].map((key) => loaded.get(key) ?? refOf(key))
}

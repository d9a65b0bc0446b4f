import type { LeadTarget } from '@/components/export/export-dialog'
import { isQueue, type LeadItem, type Place } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import type { ListCounts, Matching } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { filterOf } from '@/lib/inbox/filter-params'
import { keyOf, kindOf, nameOf } from '@/lib/inbox/lead-text'
import { type ListState, markedCount, stepFrom, subjectOf } from '@/lib/inbox/list-state'
import { freshRows, ROW_HEIGHTS, type RowLayout } from '@/lib/inbox/row-layout'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/undo-steps'
import type { QueueParts } from './lead-row'
import type { ListFilters } from './list-filters'
import type { ListRows } from './list-rows'

/** What the screen is made of at one moment. Each part takes of it what it shows, by what follows here. */
export type InboxState = {
  place: Place
  /** A queue's own; null in a list. */
  queue: QueueParts | null
  filters: ListFilters
  rows: ListRows
  counts: ListCounts | undefined
  list: ListState
  /** The open lead's row by the server where it is not loaded; null: it is in none; undefined: not known. */
  serverRow: number | null | undefined
  dialog: InboxDialog | null
  /** How many leads the server changes right now. */
  changing: number | null
}

/** A file is of one list. */
export type LeadsOfList = { list: LeadList; target: LeadTarget; count: number }

type Question = { count: number; decision: TriageDecision; onYes: () => void }

export type InboxDialog =
  /** About this lead, or what is marked. */
  | { is: 'assign' | 'put-aside'; count: number; item: LeadItem | undefined }
  | ({ is: 'confirm' } & Question)
  | ({ is: 'drafts'; leads: readonly TriagedLead[] } & Question)
  | { is: 'export' | 'copy-emails'; of: readonly LeadsOfList[] }
  | { is: 'save-view' }

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
export function cursorIn({ list, rows, serverRow }: InboxState) {
  const { id, row, place, apart } = subjectOf(list, rows, serverRow)
  const item = rows.rowAt(row)
  const isSomewhere = row !== -1 || place !== -1
  return {
    id,
    /** The row that the keys are at, or -1. */
    row,
    place,
    apart,
    /** The open lead as the list has it, if it is among the loaded rows. */
    openItem: list.openId !== null && item !== undefined && keyOf(item) === list.openId ? item : undefined,
    hasPrevious: isSomewhere && stepFrom({ row, place }, -1) >= 0,
    hasNext: isSomewhere && stepFrom({ row, place }, 1) < rows.count,
  }
}

export function marksIn({ place, list: { marks }, rows }: InboxState) {
  const { ids, isAll, isChoosing } = marks
  /** Of a list what matches is marked, whatever it is; of a queue the leads that are shown. */
  const total = isQueue(place) ? rows.count : rows.count + rows.waiting
  const count = markedCount(marks, total)
  /** `isMarking`: rows are marked by a tap; a way in for fingers. */
  return { ids, isAll, count, total, isAny: count > 0, isMarking: isChoosing || isAll || ids.size > 0 }
}

/** In another order than newest first new rows are not together. `newAfter` (ms): those below are marked one by one. */
export function layoutIn(state: InboxState): RowLayout & { newAfter: number } {
  const { counts, filters, rows } = state
  const layout = { count: rows.count, fresh: 0, newAfter: Infinity, rowHeight: ROW_HEIGHTS[wordsIn(state)] }
  const since = Date.parse(counts?.freshSince ?? '')
  const { sort, fresh } = filters.query
  if (counts === undefined || Number.isNaN(since) || sort !== '-createdAt' || fresh === true) return layout
  const isFresh = (index: number) => {
    const item = rows.rowAt(index)
    return item === undefined ? undefined : Date.parse(item.seenAt) > since
  }
  return { ...layout, newAfter: since, fresh: freshRows(counts.fresh - rows.waiting, rows.count, isFresh) }
}

export function leadOf(item: LeadItem): TriagedLead {
  const { id, triage, snoozeUntil } = item
  const shown = { ...triage, snoozeUntil }
  return { kind: kindOf(item), id, triage: shown, item, name: nameOf(item), school: item.highSchoolId }
}

import type { LeadItem, LeadListQuery } from '@/lib/api/leads'
import type { LeadKey } from '@/lib/leads/lead-key'
import { toLeadKey } from './lead-text'

/** `isAutomatic` is true if the list put the cursor there, not the user. */
type RowPosition = { key: LeadKey; index: number; query: LeadListQuery; isAutomatic?: boolean }

export type ListState = {
  /** The cursor: the lead that keys acted on last, and the row where it was. */
  position: RowPosition | null
  /** The lead in the address, and the query of the list in which it was opened or seen last. */
  chosen: { key: LeadKey; query: LeadListQuery } | null
  /** The chosen lead is not in the list on screen, so the address must drop it. */
  isLost: boolean
  /** The user has closed the lead, so none opens by itself on a wide screen until the list is another. */
  isClosed: boolean
  marks: Marks
}

/** A range begins at `anchor`. Leads are marked by key, so that marks survive a change of rows. */
type Marks = {
  filterKey: string
  keys: ReadonlySet<LeadKey>
  isAll: boolean
  anchor: Pick<RowPosition, 'key' | 'index'> | null
  /** The user has begun to mark, so presses on rows mark them, even before the first mark. */
  isChoosing: boolean
}

export type Surroundings = {
  addressedKey: LeadKey | null
  rows: {
    query: LeadListQuery
    /** The rows are of the previous query, while those of the current one are on their way. */
    isOfPreviousQuery: boolean
    count: number
    rowAt: (index: number) => LeadItem | undefined
    indexOf: (key: LeadKey) => number
  }
  /** The open lead's row by the server: null if the lead is not in the list, undefined while that is unknown. */
  serverRow: number | null | undefined
  /** The list's filter as text. A change removes the marks. */
  filterKey: string
  isWide: boolean
}

export type ListEvent =
  | ({ kind: 'opened' | 'moved' } & RowPosition)
  | { kind: 'closed' }
  | { kind: 'toggled'; key: LeadKey; index: number; loaded: readonly LeadKey[] }
  | { kind: 'ranged'; filterKey: string; key: LeadKey; index: number; keys: readonly LeadKey[] }
  | { kind: 'all-marked' | 'choosing' | 'unmarked' }

export function createListState(filterKey: string): ListState {
  return { position: null, chosen: null, isLost: false, isClosed: false, marks: createEmptyMarks(filterKey) }
}

export function reduceListState(state: ListState, event: ListEvent): ListState {
  const { marks } = state
  switch (event.kind) {
    case 'opened':
    case 'moved': {
      const { kind, ...position } = event
      return { ...state, position, isClosed: kind === 'opened' ? false : state.isClosed }
    }
    case 'closed':
      return { ...state, isClosed: true }
    case 'toggled': {
      // If all leads were marked, the loaded ones stay marked, except this one.
      const keys = new Set(marks.isAll ? event.loaded : marks.keys)
      if (!keys.delete(event.key)) keys.add(event.key)
      return { ...state, marks: withMarks(marks, keys, event) }
    }
    case 'ranged':
      if (event.filterKey !== marks.filterKey || marks.isAll) return state
      return { ...state, marks: withMarks(marks, new Set([...marks.keys, ...event.keys]), event) }
    case 'all-marked':
      return { ...state, marks: { ...createEmptyMarks(marks.filterKey), isAll: true } }
    case 'choosing':
      return { ...state, marks: { ...createEmptyMarks(marks.filterKey), isChoosing: true } }
    case 'unmarked':
      return { ...state, marks: createEmptyMarks(marks.filterKey) }
    default:
      return event satisfies never
  }
}

function createEmptyMarks(filterKey: string): Marks {
  return { filterKey, keys: new Set(), isAll: false, anchor: null, isChoosing: false }
}

function withMarks(
  marks: Marks,
  keys: ReadonlySet<LeadKey>,
  { key, index }: Pick<RowPosition, 'key' | 'index'>,
): Marks {
  return { ...marks, keys, isAll: false, anchor: { key, index } }
}

export function isMarking({ keys, isAll, isChoosing }: Marks): boolean {
  return isChoosing || isAll || keys.size > 0
}

/** Adapts the state to what is on screen. Returns the same object if nothing changes. */
export function adaptListState(state: ListState, surroundings: Surroundings): ListState {
  const adapted = followAddress(state, surroundings)
  return adapted.isLost ? adapted : followRows(adapted, surroundings)
}

function followAddress(previous: ListState, { addressedKey, rows, filterKey, isWide }: Surroundings): ListState {
  let state = previous
  if (state.marks.filterKey !== filterKey) state = { ...state, marks: createEmptyMarks(filterKey), isClosed: false }
  if (addressedKey !== (state.chosen?.key ?? null)) {
    const chosen = addressedKey === null ? null : { key: addressedKey, query: rows.query }
    state = { ...state, chosen, isLost: false }
  }
  if (state.chosen !== null && isMarking(state.marks)) state = { ...state, marks: createEmptyMarks(filterKey) }
  // The server does not know how wide the screen is. On a phone the user is at no row before they choose one.
  if (!isWide && state.position?.isAutomatic) state = { ...state, position: null }
  return state
}

function followRows(previous: ListState, surroundings: Surroundings): ListState {
  const { rows, serverRow, isWide } = surroundings
  const { chosen, position, marks } = previous
  const { key, row } = findSubject(previous, surroundings)
  const isAnotherQuery = (query: LeadListQuery) => query !== rows.query && !rows.isOfPreviousQuery
  let state = previous
  if (chosen !== null && isAnotherQuery(chosen.query)) {
    if (row === -1 && serverRow === null) return { ...state, isLost: true, position: null }
    if (row !== -1) state = { ...state, chosen: { ...chosen, query: rows.query } }
  }
  if (key !== null && row !== -1) {
    const isSameLead = position?.key === key
    if (isSameLead && position.index === row && position.query === rows.query) return state
    const isAutomatic = isSameLead && position.isAutomatic === true
    return { ...state, position: { key, index: row, query: rows.query, isAutomatic } }
  }
  // On a wide screen the first lead of another list opens by itself.
  const first = rows.rowAt(0)
  const mayOpenFirst = chosen === null && isWide && !isMarking(marks)
  if (mayOpenFirst && first !== undefined && (position === null || isAnotherQuery(position.query)))
    return { ...state, position: { key: toLeadKey(first), index: 0, query: rows.query, isAutomatic: true } }
  return state
}

/** Returns the chosen lead, or on a wide screen the one that keys act on. */
export function findOpenLead(state: ListState, isWide: boolean): LeadKey | null {
  const { position, chosen, isLost, isClosed, marks } = state
  if (chosen !== null) return isLost ? null : chosen.key
  return isWide && !isClosed && !isMarking(marks) ? (position?.key ?? null) : null
}

/** Keys act on this lead, which is the open one or the one at the cursor. */
export type Subject = {
  key: LeadKey | null
  /** It is -1 if no row shows the lead. */
  row: number
  /** The keys j and k start here: at the lead's row, or where it was; -1 is above the first row. */
  origin: number
}

/** A lead whose page is not loaded keeps its row. One that has left the list is the subject only while it is open. */
export function findSubject(state: ListState, { rows, serverRow, isWide }: Omit<Surroundings, 'filterKey'>): Subject {
  const { position } = state
  const openKey = findOpenLead(state, isWide)
  const key = openKey ?? position?.key ?? null
  if (key === null) return { key, row: -1, origin: -1 }
  const loadedRow = rows.indexOf(key)
  if (loadedRow !== -1) return { key, row: loadedRow, origin: loadedRow }
  const isUnloaded = (index: number) => index >= 0 && index < rows.count && rows.rowAt(index) === undefined
  const previousRow = position?.key === key && position.query === rows.query ? Math.min(position.index, rows.count) : -1
  const expectedRow = serverRow === undefined ? previousRow : (serverRow ?? -1)
  if (isUnloaded(expectedRow)) return { key, row: expectedRow, origin: expectedRow }
  return { key: openKey, row: -1, origin: previousRow }
}

export function findNextRow({ row, origin }: Pick<Subject, 'row' | 'origin'>, step: 1 | -1): number {
  return row === -1 && origin !== -1 && step === 1 ? origin : origin + step
}

import type { LeadItem, LeadListQuery } from '@/lib/api/leads'
import type { LeadKey } from '@/lib/leads/lead-key'
import { toLeadKey } from './lead-text'

/** `isAutomatic`: the list has put the user there. */
type RowPosition = { id: LeadKey; index: number; query: LeadListQuery; isAutomatic?: boolean }

/** Where the user is in a list: at one lead, or at those that are marked. Which lead was chosen stands in the address. */
export type ListState = {
  /** The lead that keys act on, and the row it was in. */
  position: RowPosition | null
  /** The lead of the address, and the list in which it was opened or seen last. */
  chosen: { id: LeadKey; query: LeadListQuery } | null
  /** The chosen lead is not in the list that is shown now, so the address is to forget it. */
  isLost: boolean
  /** The user has closed the lead: on a desk none opens by itself until the list is another. */
  isClosed: boolean
  marks: Marks
}

/** Leads are marked by their keys, so marks survive a change of rows. `anchor`: where a range begins. */
export type Marks = {
  filter: string
  ids: ReadonlySet<LeadKey>
  isAll: boolean
  anchor: Pick<RowPosition, 'id' | 'index'> | null
  /** Marking was begun by a tap, on touch screens. */
  isChoosing: boolean
}

/** What the user's place depends on at one moment. */
export type Surroundings = {
  /** The lead that the address says is open. */
  addressed: LeadKey | null
  rows: {
    query: LeadListQuery
    /** While those of another query are on their way. */
    isPrevious: boolean
    count: number
    rowAt: (index: number) => LeadItem | undefined
    indexOf: (id: LeadKey) => number
  }
  /** The open lead's row by the server; null: it is in none; undefined: not known. */
  serverRow: number | null | undefined
  filter: string
  /** Beside the list there is room for a lead. */
  isWide: boolean
}

export type ListEvent =
  | ({ kind: 'opened' | 'moved' } & RowPosition)
  | { kind: 'closed' }
  /** `shown`: all rows on screen. */
  | { kind: 'toggled'; id: LeadKey; index: number; shown: readonly LeadKey[] }
  | { kind: 'ranged'; filter: string; id: LeadKey; index: number; ids: readonly LeadKey[] }
  | { kind: 'all-marked' | 'choosing' | 'unmarked' }

export function createListState(filter: string): ListState {
  return { position: null, chosen: null, isLost: false, isClosed: false, marks: createEmptyMarks(filter) }
}

/** The state after what the user did. */
export function reduceListState(state: ListState, event: ListEvent): ListState {
  const { marks } = state
  switch (event.kind) {
    case 'opened':
    case 'moved': {
      const { kind, ...place } = event
      return { ...state, position: place, isClosed: kind === 'opened' ? false : state.isClosed }
    }
    case 'closed':
      return { ...state, isClosed: true }
    case 'toggled': {
      // Taking one away from all that match leaves the rows on screen without it.
      const ids = new Set(marks.isAll ? event.shown : marks.ids)
      if (!ids.delete(event.id)) ids.add(event.id)
      return { ...state, marks: markedAt(marks, ids, event) }
    }
    case 'ranged':
      if (event.filter !== marks.filter || marks.isAll) return state
      return { ...state, marks: markedAt(marks, new Set([...marks.ids, ...event.ids]), event) }
    case 'all-marked':
      return { ...state, marks: { ...createEmptyMarks(marks.filter), isAll: true } }
    case 'choosing':
      return { ...state, marks: { ...createEmptyMarks(marks.filter), isChoosing: true } }
    case 'unmarked':
      return { ...state, marks: createEmptyMarks(marks.filter) }
    default:
      return event satisfies never
  }
}

function createEmptyMarks(filter: string): Marks {
  return { filter, ids: new Set(), isAll: false, anchor: null, isChoosing: false }
}

function markedAt(marks: Marks, ids: ReadonlySet<LeadKey>, { id, index }: Pick<RowPosition, 'id' | 'index'>): Marks {
  return { ...marks, ids, isAll: false, anchor: { id, index } }
}

/** Whether a tap on a row marks it. */
export function isMarking({ ids, isAll, isChoosing }: Marks): boolean {
  return isChoosing || isAll || ids.size > 0
}

/** Adapts the state to its surroundings; returns the same object where nothing changes. */
export function adaptToSurroundings(previous: ListState, surroundings: Surroundings): ListState {
  const { addressed, rows, filter, isWide } = surroundings
  let state = previous
  const change = (part: Partial<ListState>) => (state = { ...state, ...part })

  if (state.marks.filter !== filter) change({ marks: createEmptyMarks(filter), isClosed: false })
  if (addressed !== (state.chosen?.id ?? null))
    change({ chosen: addressed === null ? null : { id: addressed, query: rows.query }, isLost: false })
  // Marks and an open lead exclude each other.
  if (state.chosen !== null && (state.marks.isAll || state.marks.ids.size > 0)) change({ marks: createEmptyMarks(filter) })

  // The server does not know how wide the screen is: on a phone no row is the user's before they choose one.
  if (!isWide && state.position?.isAutomatic) change({ position: null })
  // The address drops the lead in a moment.
  if (state.isLost) return state

  const { id, row } = findSubject(state, surroundings)
  const { chosen, position: place } = state
  if (chosen !== null && chosen.query !== rows.query && !rows.isPrevious) {
    if (row === -1 && surroundings.serverRow === null) return change({ isLost: true, position: null })
    if (row !== -1) change({ chosen: { ...chosen, query: rows.query } })
  }
  if (id !== null && row !== -1) {
    const isThere = place?.id === id && place.index === row && place.query === rows.query
    const isAutomatic = place?.id === id && place.isAutomatic === true
    return isThere ? state : change({ position: { id, index: row, query: rows.query, isAutomatic } })
  }
  // On a desk the first lead of another list comes up by itself.
  const isOther = place === null || (place.query !== rows.query && !rows.isPrevious)
  const first = rows.rowAt(0)
  if (chosen === null && isOther && isWide && first !== undefined && !isMarking(state.marks))
    return change({ position: { id: toLeadKey(first), index: 0, query: rows.query, isAutomatic: true } })
  return state
}

/** The lead that is shown beside the list: the chosen one, or on a desk the one that the keys are at. */
export function findOpenLead({ position: place, chosen, isLost, isClosed, marks }: ListState, isWide: boolean): LeadKey | null {
  if (chosen !== null) return isLost ? null : chosen.id
  return isWide && !isClosed && !isMarking(marks) ? (place?.id ?? null) : null
}

/** The one lead that keys act on, and that looks like the cursor or the open row. */
export type Subject = {
  id: LeadKey | null
  /** -1 where no row shows the lead. */
  row: number
  /** Where j and k start: at the lead's row, or at the row where it was; -1 is above the first row. */
  origin: number
  /** The open lead has left the list, or was opened from elsewhere. */
  missingReason: 'left' | 'elsewhere' | null
}

const NO_SUBJECT: Subject = { id: null, row: -1, origin: -1, missingReason: null }

/** A lead whose page is not loaded keeps its row; one that is gone is no subject unless it is open: a key must not hit its neighbour. */
export function findSubject(state: ListState, { rows, serverRow, isWide }: Omit<Surroundings, 'filter'>): Subject {
  const { position: place } = state
  const openId = findOpenLead(state, isWide)
  const id = openId ?? place?.id ?? null
  if (id === null) return NO_SUBJECT
  const found = rows.indexOf(id)
  if (found !== -1) return { id, row: found, origin: found, missingReason: null }
  const isUnseen = (index: number) => index >= 0 && index < rows.count && rows.rowAt(index) === undefined
  const before = place?.id === id && place.query === rows.query ? Math.min(place.index, rows.count) : -1
  const expectedRow = serverRow === undefined ? before : (serverRow ?? -1)
  if (isUnseen(expectedRow)) return { id, row: expectedRow, origin: expectedRow, missingReason: null }
  if (openId === null) return { ...NO_SUBJECT, origin: before }
  const isGone = serverRow === null
  return { id, row: -1, origin: before, missingReason: isGone ? (before === -1 ? 'elsewhere' : 'left') : null }
}

export function findNextRow({ row, origin }: Pick<Subject, 'row' | 'origin'>, step: 1 | -1): number {
  return row === -1 && origin !== -1 && step === 1 ? origin : origin + step
}

/** Users confirm a change of more leads than this. */
const CONFIRM_ABOVE = 50

export function needsConfirmation(count: number): boolean {
  return count > CONFIRM_ABOVE
}

import type { LeadItem, LeadListQuery } from '@/lib/api/leads'
import type { LeadKey } from '@/lib/leads/lead-key'

/** The rows on screen; `isPrevious` while those of another query are on their way. */
type Rows = {
  query: LeadListQuery
  isPrevious: boolean
  count: number
  rowAt: (index: number) => LeadItem | undefined
  indexOf: (id: LeadKey) => number
}

type Place = { id: LeadKey; index: number; query: LeadListQuery }

/** Where the user is in a list: at one lead, open or not, or at those that are marked. */
export type ListState = {
  openId: LeadKey | null
  /** What the address says is open: `openId` is ahead of it until it is written there. */
  address: LeadKey | null
  /** The open lead is not in the list that is shown now, so the address is to forget it. */
  isLost: boolean
  /** The list in which the open lead was opened, or seen last. */
  openedIn: LeadListQuery
  /** The lead that keys act on, and the row it was in. */
  at: Place | null
  marks: Marks
}

/** They hold on to leads, not to places. `anchor`: where a range begins. */
type Marks = {
  filter: string
  ids: ReadonlySet<LeadKey>
  isAll: boolean
  anchor: Omit<Place, 'query'> | null
  /** By a tap, on touch screens. */
  isChoosing: boolean
}

export type ListEvent =
  /** By a link, a step back or forward, or because the state was written there. */
  | { is: 'addressed'; id: LeadKey | null; query: LeadListQuery }
  | { is: 'filtered'; filter: string }
  /** `serverRow`: the open lead's row by the server; null: it is in none; undefined: not known. */
  | { is: 'arrived'; rows: Rows; serverRow: number | null | undefined }
  | ({ is: 'opened' | 'moved' } & Place)
  | { is: 'closed' }
  | { is: 'toggled'; id: LeadKey; index: number; shown: readonly LeadKey[] }
  | { is: 'ranged'; filter: string; id: LeadKey; index: number; ids: readonly LeadKey[] }
  | { is: 'allMarked' | 'choosing' | 'unmarked' }

export function firstState(openId: LeadKey | null, query: LeadListQuery, filter: string): ListState {
  return { openId, address: openId, isLost: false, openedIn: query, at: null, marks: noMarks(filter) }
}

/** The same object where nothing changes. Marks and an open lead exclude each other: the older one gives way. */
export function listAfter(state: ListState, event: ListEvent): ListState {
  const { openId, marks } = state
  switch (event.is) {
    case 'addressed': {
      if (event.id === state.address) return state
      const addressed = { ...state, address: event.id }
      if (event.id === openId) return { ...addressed, isLost: false }
      return event.id === null ? closed(addressed) : opened(addressed, event.id, event.query)
    }
    case 'filtered':
      return event.filter === marks.filter ? state : { ...state, marks: noMarks(event.filter) }
    case 'arrived':
      return arrived(state, event.rows, event.serverRow)
    case 'opened':
    case 'moved': {
      const { is, ...at } = event
      return is === 'moved' && openId === null ? { ...state, at } : opened({ ...state, at }, at.id, at.query)
    }
    case 'closed':
      return closed(state)
    case 'toggled':
      return marked(state, toggled(marks, event.id, event.shown), event)
    case 'ranged':
      if (event.filter !== marks.filter || marks.isAll) return state
      return marked(state, new Set([...marks.ids, ...event.ids]), event)
    case 'allMarked':
      return { ...closed(state), marks: { ...noMarks(marks.filter), isAll: true } }
    case 'choosing':
      return { ...state, marks: { ...noMarks(marks.filter), isChoosing: true } }
    case 'unmarked':
      return { ...state, marks: noMarks(marks.filter) }
    default:
      return event satisfies never
  }
}

function noMarks(filter: string): Marks {
  return { filter, ids: new Set(), isAll: false, anchor: null, isChoosing: false }
}

function closed(state: ListState): ListState {
  return { ...state, openId: null, isLost: false }
}

function opened(state: ListState, openId: LeadKey, openedIn: LeadListQuery): ListState {
  const { marks } = state
  return { ...state, openId, openedIn, isLost: false, marks: hasMarks(marks) ? noMarks(marks.filter) : marks }
}

function marked(state: ListState, ids: ReadonlySet<LeadKey>, { id, index }: { id: LeadKey; index: number }): ListState {
  const marks = { ...state.marks, ids, isAll: false, anchor: { id, index } }
  return { ...(hasMarks(marks) ? closed(state) : state), marks }
}

/** Taking one away from all that match leaves `shown`, the rows on screen, without it. */
function toggled({ ids, isAll }: Marks, id: LeadKey, shown: readonly LeadKey[]): ReadonlySet<LeadKey> {
  const next = new Set(isAll ? shown : ids)
  if (!next.delete(id)) next.add(id)
  return next
}

function hasMarks({ ids, isAll }: Marks): boolean {
  return isAll || ids.size > 0
}

export function isMarked({ ids, isAll }: Pick<Marks, 'ids' | 'isAll'>, id: LeadKey): boolean {
  return isAll || ids.has(id)
}

export function markedCount({ ids, isAll }: Marks, total: number): number {
  return isAll ? total : ids.size
}

/** The place follows its lead. A lead that another list leaves out is closed, once that is known. */
function arrived(state: ListState, rows: Rows, serverRow: number | null | undefined): ListState {
  const { id, row } = subjectOf(state, rows, serverRow)
  const { at, openId, openedIn } = state
  const isAt = id === null || row === -1 || (at?.id === id && at.index === row && at.query === rows.query)
  const next = isAt ? state : { ...state, at: { id, index: row, query: rows.query } }
  if (openId === null || openedIn === rows.query || rows.isPrevious || (row === -1 && serverRow === undefined))
    return next
  if (row === -1 && serverRow === null) return { ...closed(next), isLost: true, at: null }
  return { ...next, openedIn: rows.query }
}

/** The one lead that keys act on, and that looks like the cursor or the open row. */
export type Subject = {
  id: LeadKey | null
  /** Or -1: no other row stands for it. */
  row: number
  /** Where j and k go on from: its row, or the place where it was; -1: the top. */
  place: number
  /** The open lead has left the list, or was opened from elsewhere. */
  apart: 'left' | 'elsewhere' | null
}

const NOBODY: Subject = { id: null, row: -1, place: -1, apart: null }

/** A lead whose page is not loaded keeps its row; one that is gone is no subject unless it is open: a key must not hit its neighbour. */
export function subjectOf(
  { openId, at }: Pick<ListState, 'openId' | 'at'>,
  rows: Omit<Rows, 'isPrevious'>,
  serverRow: number | null | undefined,
): Subject {
  const id = openId ?? at?.id ?? null
  if (id === null) return NOBODY
  const found = rows.indexOf(id)
  if (found !== -1) return { id, row: found, place: found, apart: null }
  const isUnseen = (index: number) => index >= 0 && index < rows.count && rows.rowAt(index) === undefined
  const before = at?.id === id && at.query === rows.query ? Math.min(at.index, rows.count) : -1
  const kept = serverRow === undefined ? before : (serverRow ?? -1)
  if (isUnseen(kept)) return { id, row: kept, place: kept, apart: null }
  if (openId === null) return { ...NOBODY, place: before }
  const isGone = serverRow === null
  return { id, row: -1, place: before, apart: isGone ? (before === -1 ? 'elsewhere' : 'left') : null }
}

export function stepFrom({ row, place }: Pick<Subject, 'row' | 'place'>, step: 1 | -1): number {
  return row === -1 && place !== -1 && step === 1 ? place : place + step
}

/** The user confirms a change of more leads. */
const MANY = 50

export function isHeavy(count: number): boolean {
  return count > MANY
}

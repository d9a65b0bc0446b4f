import type { LeadItem, LeadListQuery } from '@/lib/api/leads'

/** The rows on screen, as far as this rule asks. */
type Rows = {
  /** The query whose rows they are; the same object as long as it means the same. */
  query: LeadListQuery
  count: number
  rowAt: (index: number) => LeadItem | undefined
  indexOf: (id: string) => number
}

/** The lead that the keys were at last, its row then, and in which list that was. */
export type CursorMark = { id: string; index: number; query: LeadListQuery }

/** The one lead that the keys act on. What looks like the cursor or the open row is this lead, or nothing does. */
export type Subject = {
  id: string | null
  /** Its row, or -1 when it has none: no other row stands for it. */
  row: number
  /** Where j and k go on from: its row, or the place where it was; -1: from the top. */
  place: number
  /** The open lead is not in the list: it has left it, or was opened from elsewhere. */
  apart: 'left' | 'elsewhere' | null
}

const NOBODY: Subject = { id: null, row: -1, place: -1, apart: null }

/**
 * Cursor and open lead are one. A lead whose page is not loaded keeps its row; one that is known to be gone has none, and
 * while no lead is open it is no subject any more: a key must not hit the neighbour that took its place.
 * `told` is the open lead's row by the server's answer: null when it is not in the list, undefined while that is not known.
 */
export function subjectOf(
  openId: string | null,
  mark: CursorMark | null,
  told: number | null | undefined,
  rows: Rows,
): Subject {
  const id = openId ?? mark?.id ?? null
  if (id === null) return NOBODY
  const found = rows.indexOf(id)
  if (found !== -1) return { id, row: found, place: found, apart: null }
  const isUnseen = (index: number) => index >= 0 && index < rows.count && rows.rowAt(index) === undefined
  const before = mark?.id === id && mark.query === rows.query ? Math.min(mark.index, rows.count) : -1
  const kept = told === undefined ? before : (told ?? -1)
  if (isUnseen(kept)) return { id, row: kept, place: kept, apart: null }
  if (openId === null) return { ...NOBODY, place: before }
  const isGone = told === null
  return { id, row: -1, place: before, apart: isGone ? (before === -1 ? 'elsewhere' : 'left') : null }
}

/** The row that a step leads to. Where the lead has left, down leads to what took its place. */
export function stepFrom({ row, place }: Pick<Subject, 'row' | 'place'>, step: 1 | -1): number {
  return row === -1 && place !== -1 && step === 1 ? place : place + step
}

/**
 * What becomes of the open lead when the person asks for another list: it stays if it is in that one, else it is closed;
 * until that is known, it waits.
 */
export function fateInNewList({ row }: Subject, told: number | null | undefined): 'stays' | 'closes' | 'waits' {
  if (row !== -1) return 'stays'
  if (told === undefined) return 'waits'
  return told === null ? 'closes' : 'stays'
}

/** Marks and open lead are one subject too: what came last stands, the other gives way. */
export function givesWay(
  hasMarks: boolean,
  openId: string | null,
  openedBefore: string | null,
): 'lead' | 'marks' | null {
  if (!hasMarks || openId === null) return null
  return openId === openedBefore ? 'lead' : 'marks'
}

/** More than this many at once is asked about first. */
const MANY = 50

export function isHeavy(count: number): boolean {
  return count > MANY
}

type Counted = { status: Readonly<Record<string, number>> } | undefined

/**
 * How many unhandled leads remain in the list on screen; undefined where that is not known, and where the list shows none
 * by its own filter. The server's count may be of a moment ago: what is still there to be seen counts in any case.
 */
export function unhandledLeft(counts: Counted, { status }: LeadListQuery, seen: number): number | undefined {
  if (counts === undefined || (status !== undefined && !status.includes('new'))) return undefined
  return Math.max(counts.status['new'] ?? 0, seen)
}

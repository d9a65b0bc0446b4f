import type { LeadItem, LeadListQuery } from '@/lib/api/leads'

type Rows = {
  query: LeadListQuery
  count: number
  rowAt: (index: number) => LeadItem | undefined
  indexOf: (id: string) => number
}

export type CursorMark = { id: string; index: number; query: LeadListQuery }

/** The one lead that keys act on, and that looks like the cursor or the open row. */
export type Subject = {
  id: string | null
  /** Or -1: no other row stands for it. */
  row: number
  /** Where j and k go on from: its row, or the place where it was; -1: the top. */
  place: number
  /** The open lead has left the list, or was opened from elsewhere. */
  apart: 'left' | 'elsewhere' | null
}

const NOBODY: Subject = { id: null, row: -1, place: -1, apart: null }

/**
 * A lead whose page is not loaded keeps its row; one that is gone is no subject unless it is open: a key must not hit
 * its neighbour. `told` is the open lead's row by the server: null when not in the list, undefined while unknown.
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

export function stepFrom({ row, place }: Pick<Subject, 'row' | 'place'>, step: 1 | -1): number {
  return row === -1 && place !== -1 && step === 1 ? place : place + step
}

/** What becomes of the open lead in another list: it stays if it is there, and waits while that is unknown. */
export function fateInNewList({ row }: Subject, told: number | null | undefined): 'stays' | 'closes' | 'waits' {
  if (row !== -1) return 'stays'
  if (told === undefined) return 'waits'
  return told === null ? 'closes' : 'stays'
}

/** Marks and open lead exclude each other: the older one is dropped. */
export function givesWay(
  hasMarks: boolean,
  openId: string | null,
  openedBefore: string | null,
): 'lead' | 'marks' | null {
  if (!hasMarks || openId === null) return null
  return openId === openedBefore ? 'lead' : 'marks'
}

/** The user confirms a change of more leads. */
const MANY = 50

export function isHeavy(count: number): boolean {
  return count > MANY
}

type Counted = { status: Readonly<Record<string, number>> } | undefined

/** Undefined where it is unknown. The count may be old: what is to be seen counts in any case. */
export function unhandledLeft(counts: Counted, { status }: LeadListQuery, seen: number): number | undefined {
  if (counts === undefined || (status !== undefined && !status.includes('new'))) return undefined
  return Math.max(counts.status['new'] ?? 0, seen)
}

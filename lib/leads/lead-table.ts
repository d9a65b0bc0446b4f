import type { Lead, LeadKind, ProtectedMark } from '@/lib/contract/lead'
import type { SearchTexts } from './search-texts'

/** What stands in `year` for a lead without an enrollment year. */
export const NO_YEAR = -2_147_483_648

/**
 * One list of leads as columns, in canonical order: newest first, equal moments by id (code units, ascending).
 * Row `i` of every column is the same lead. A table never changes; a refresh makes a new one.
 * Columns instead of objects: 100 000 leads cost the collector nothing, and a filter reads numbers.
 */
export type LeadTable<L extends Lead = Lead> = {
  readonly kind: LeadKind
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly createdAt: Float64Array
  readonly id: readonly string[]
  /** Index into `schoolIds`. */
  readonly school: Uint32Array
  readonly schoolIds: readonly string[]
  /** Enrollment year, or `NO_YEAR`. */
  readonly year: Int32Array
  /** Index into `modes`; 0 for lists without a contact mode. */
  readonly mode: Uint32Array
  readonly modes: readonly string[]
  /** `emailKey` and `phoneKey` of `lib/contacts/contact-key`: equal for leads that may be by the same contact. */
  readonly emailKey: Float64Array
  readonly phoneKey: Float64Array
  /** Index into `texts`: folded text to search in (`foldText`), with every spelling of the phone (`phoneSearchText`). */
  readonly text: Uint32Array
  readonly texts: SearchTexts
  /** `swedishSortKey` of the name (declarations: first and last; questions: the sender's e-mail or phone). */
  readonly sortName: readonly string[]
  /** The whole lead; made on demand, so ask only for rows that are shown. */
  lead(row: number): L
  /** The row of the lead with this id, or -1. */
  rowOf(id: string): number
  /** Absent where nobody's identity is protected. */
  readonly protection?: TableProtection
}

/** Whose identity is protected among the leads of a table, as one reader sees it (`lib/leads/protected-table`). */
export type TableProtection = {
  /** The same for all who are shown the same. */
  readonly key: string
  /** By row; the rows of everybody else are absent. */
  readonly marks: ReadonlyMap<number, ProtectedMark>
}

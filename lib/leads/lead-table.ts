import { NO_KEY } from '@/lib/contacts/contact-key'
import type { Lead, LeadKind, ProtectedMark } from '@/lib/contract/lead'
import type { SearchTexts } from './search-texts'

/** The smallest number of an Int32Array stands in the column `year` for no year. */
export const NO_YEAR = -2_147_483_648

/** A table is a list in columns that never change, newest first: objects would load the garbage collector. */
export type LeadTable<L extends Lead = Lead> = {
  readonly kind: LeadKind
  readonly size: number
  /** The service says that the lead was made at this moment (ms). */
  readonly createdAt: Float64Array
  /** Intag first had the lead at this moment (ms), which decides what is new. */
  readonly seenAt: Float64Array
  readonly id: readonly string[]
  readonly schoolIndex: Uint32Array
  readonly schoolIds: readonly string[]
  readonly year: Int32Array
  /** In a list without contact modes the index is 0. */
  readonly modeIndex: Uint32Array
  readonly modes: readonly string[]
  /** Leads of equal `hashEmail` or `hashPhone` may be of one contact. */
  readonly emailKey: Float64Array
  readonly phoneKey: Float64Array
  readonly textIndex: Uint32Array
  readonly texts: SearchTexts
  /** Declarations sort by first and last name, questions by the sender's e-mail or phone (`toSwedishSortKey`). */
  readonly sortName: readonly string[]
  getLead(row: number): L
  findRow(id: string): number
  readonly protection?: { readonly key: string; readonly markByRow: ReadonlyMap<number, ProtectedMark> }
}

export function isHiddenRow({ protection }: LeadTable, row: number): boolean {
  return protection?.markByRow.get(row)?.isHidden === true
}

export function getSchoolId({ schoolIndex, schoolIds }: LeadTable, row: number): string {
  return schoolIds[schoolIndex[row] ?? -1] ?? ''
}

/** Hides protected leads: they keep row, id, school, moments and mode, but have no text for a search, name or year. */
export function hideProtected(table: LeadTable, protection: NonNullable<LeadTable['protection']>): LeadTable {
  const hiddenRows = [...protection.markByRow].flatMap(([row, { isHidden }]) => (isHidden ? [row] : []))
  if (hiddenRows.length === 0) return { ...table, protection }
  const hiddenRowSet = new Set(hiddenRows)
  const overwrite = <Column extends { [row: number]: Value }, Value>(column: Column, value: Value): Column => {
    for (const row of hiddenRows) column[row] = value
    return column
  }
  return {
    ...table,
    protection,
    year: overwrite(table.year.slice(), NO_YEAR),
    emailKey: overwrite(table.emailKey.slice(), NO_KEY),
    phoneKey: overwrite(table.phoneKey.slice(), NO_KEY),
    // Text 0 of `SearchTexts` is empty.
    textIndex: overwrite(table.textIndex.slice(), 0),
    sortName: overwrite(table.sortName.slice(), ''),
    getLead: (row) => {
      const lead = table.getLead(row)
      if (!hiddenRowSet.has(row)) return lead
      // The copy is made field by field, so that no field that the service may add gets through.
      const { id, highSchoolId, createdAt } = lead
      if ('user' in lead) {
        const user = { firstName: null, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: null }
        return { id, highSchoolId, createdAt, user }
      }
      const { highSchoolName, sender } = lead
      const hiddenSender = { mode: sender.mode, phone: null, email: null }
      return { id, highSchoolId, highSchoolName, createdAt, question: '', sender: hiddenSender }
    },
  }
}

import { NO_KEY } from '@/lib/contacts/contact-key'
import type { Lead } from '@/lib/contract/lead'
import { type LeadTable, NO_YEAR, type TableProtection } from './lead-table'
import type { SearchTexts } from './search-texts'

/**
 * The same leads for somebody who is not shown who some of them are by. Those rows keep their place, id, school and moment:
 * that there is a lead is no secret. They are found by no search, joined with nobody's other leads, and stand where leads
 * without name and year stand in every order.
 */
export function protectedTable(table: LeadTable, protection: TableProtection): LeadTable {
  const hidden = [...protection.marks].flatMap(([row, { isHidden }]) => (isHidden ? [row] : []))
  if (hidden.length === 0) return { ...table, protection }
  const isHidden = new Set(hidden)
  const sortName = table.sortName.slice()
  for (const row of hidden) sortName[row] = ''
  return {
    ...table,
    protection,
    year: withValue(table.year.slice(), hidden, NO_YEAR),
    emailKey: withValue(table.emailKey.slice(), hidden, NO_KEY),
    phoneKey: withValue(table.phoneKey.slice(), hidden, NO_KEY),
    text: withValue(table.text.slice(), hidden, table.texts.count),
    texts: withEmptyText(table.texts),
    sortName,
    lead: (row) => (isHidden.has(row) ? withoutPerson(table.lead(row)) : table.lead(row)),
  }
}

/** Whether the reader of this table is not shown who the lead is by. */
export function isHiddenRow({ protection }: LeadTable, row: number): boolean {
  return protection?.marks.get(row)?.isHidden === true
}

function withValue<T extends Float64Array | Int32Array | Uint32Array>(
  column: T,
  rows: readonly number[],
  value: number,
): T {
  for (const row of rows) column[row] = value
  return column
}

/** One text more, the last: nothing is found in it. */
function withEmptyText(texts: SearchTexts): SearchTexts {
  const { count, starts, markStarts } = texts
  const oneMore = (places: Uint32Array) => {
    const all = new Uint32Array(count + 2)
    all.set(places.subarray(0, count + 1))
    all[count + 1] = places[count] ?? 0
    return all
  }
  return { ...texts, count: count + 1, starts: oneMore(starts), markStarts: oneMore(markStarts) }
}

/** Field by field, so that what the service may come to say of a person does not pass. */
function withoutPerson(lead: Lead): Lead {
  const { id, highSchoolId, createdAt } = lead
  if ('user' in lead) {
    const user = { firstName: null, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: null }
    return { id, highSchoolId, createdAt, user }
  }
  const { highSchoolName, sender } = lead
  return {
    id,
    highSchoolId,
    highSchoolName,
    createdAt,
    question: '',
    sender: { mode: sender.mode, phone: null, email: null },
  }
}

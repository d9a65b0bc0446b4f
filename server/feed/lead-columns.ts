import 'server-only'
import { hashEmail, hashPhone, NO_KEY } from '@/lib/contacts/contact-key'
import type { Lead } from '@/lib/contract/lead'
import { foldAccents, plainLetters, swedishSortKey } from '@/lib/leads/comparable-text'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { phoneSearchText } from '@/lib/leads/search-terms'
import { encodeLetterMarks, encodeUtf8 } from '@/lib/leads/search-texts'
import { createDictionaryColumn, createNumberColumn, createTextColumn, type DictionaryColumn } from './columns'
import { compact, createTextStore, createTextWriter, type TextStore } from './text-store'

/** The columns of leads in the order they were added; blank rows stand for records that are no leads. */
export type LeadColumns = {
  readonly createdAt: Float64Array
  readonly id: readonly string[]
  readonly idHash: Uint32Array
  readonly school: DictionaryColumn
  readonly year: Int32Array
  readonly mode: DictionaryColumn
  readonly emailKey: Float64Array
  readonly phoneKey: Float64Array
  readonly text: Uint32Array
  readonly texts: TextStore
  readonly sortName: readonly string[]
}

/** Builds columns row by row. Stretches of `base`, the columns of the previous body, are copied. */
export function createColumnBuilder(base?: LeadColumns) {
  const { store, rows } = base ? compact(base.texts, base.text) : { store: createTextStore() }
  const writeText = createTextWriter(store)
  const createdAt = createNumberColumn<Float64Array>(Float64Array, base?.createdAt)
  const id = createTextColumn(base?.id)
  const idHash = createNumberColumn<Uint32Array>(Uint32Array, base?.idHash)
  const school = createDictionaryColumn(base?.school)
  const year = createNumberColumn<Int32Array>(Int32Array, base?.year)
  const mode = createDictionaryColumn(base?.mode)
  const emailKey = createNumberColumn<Float64Array>(Float64Array, base?.emailKey)
  const phoneKey = createNumberColumn<Float64Array>(Float64Array, base?.phoneKey)
  const text = createNumberColumn<Uint32Array>(Uint32Array, rows)
  const sortName = createTextColumn(base?.sortName)
  const columns = [createdAt, id, idHash, school, year, mode, emailKey, phoneKey, text, sortName]
  const sortNames = new Map<string, string>()

  function push(leadId: string, createdAtMs: number, schoolId: string | null, cells: LeadCells): void {
    id.push(leadId)
    idHash.push(hashId(leadId))
    createdAt.push(createdAtMs)
    school.push(schoolId)
    year.push(cells.year)
    mode.push(cells.mode)
    emailKey.push(cells.emailKey)
    phoneKey.push(cells.phoneKey)
    text.push(writeText(cells.searchText, cells.letterMarks))
    // Leads of the same name share one string.
    const name = sortNames.get(cells.sortName) ?? cells.sortName
    sortNames.set(name, name)
    sortName.push(name)
  }

  return {
    add: (lead: Lead): void => push(lead.id, Date.parse(lead.createdAt), lead.highSchoolId, toLeadCells(lead)),
    addBlank: (recordId: string): void => push(recordId, 0, null, BLANK_CELLS),
    copyFromBase: (start: number, end: number): void => columns.forEach((column) => column.copyFromBase(start, end)),
    finish: (): LeadColumns => {
      if (base === undefined) store.trim()
      return {
        createdAt: createdAt.finish(),
        id: id.finish(),
        idHash: idHash.finish(),
        school: school.finish(),
        year: year.finish(),
        mode: mode.finish(),
        emailKey: emailKey.finish(),
        phoneKey: phoneKey.finish(),
        text: text.finish(),
        texts: store,
        sortName: sortName.finish(),
      }
    },
  }
}

type LeadCells = {
  /** UTF-8. */
  searchText: Uint8Array
  /** These say which a and o of the text are å ä ö. */
  letterMarks: readonly number[]
  sortName: string
  year: number
  mode: string | null
  emailKey: number
  phoneKey: number
}

const BLANK_CELLS: LeadCells = {
  searchText: new Uint8Array(0),
  letterMarks: [],
  sortName: '',
  year: NO_YEAR,
  mode: null,
  emailKey: NO_KEY,
  phoneKey: NO_KEY,
}

const MAX_YEAR = 2_147_483_647

function toLeadCells(lead: Lead): LeadCells {
  const { email, phone } = 'sender' in lead ? lead.sender : lead.user
  const written = 'sender' in lead ? [email, lead.question] : [lead.user.firstName, lead.user.lastName, email]
  const folded = foldAccents(written.filter((text) => text !== null).join(' '))
  const phoneText = phone === null ? '' : phoneSearchText(phone)
  const cells = {
    searchText: encodeUtf8([plainLetters(folded), phoneText].filter((text) => text !== '').join(' ')),
    letterMarks: encodeLetterMarks(folded),
    emailKey: hashEmail(email),
    phoneKey: hashPhone(phone),
  }
  if ('sender' in lead)
    return { ...cells, sortName: swedishSortKey(email ?? phone ?? ''), year: NO_YEAR, mode: lead.sender.mode }
  const { firstName, lastName, highSchoolEnrollmentYear: year } = lead.user
  return {
    ...cells,
    sortName: swedishSortKey([firstName, lastName].filter((name) => name !== null).join(' ')),
    // Absurd years become the column's ends, so that they still sort last and first.
    year: year === null ? NO_YEAR : Math.max(NO_YEAR + 1, Math.min(MAX_YEAR, year)),
    mode: '',
  }
}

/** FNV-1a over the code units, its high bits folded into the low ones that choose the slot of a hash table. */
export function hashId(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

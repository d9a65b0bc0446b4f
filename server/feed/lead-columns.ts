import { hashEmail, hashPhone, NO_KEY } from '@/lib/contacts/contact-key'
import type { Lead } from '@/lib/contract/lead'
import { foldText } from '@/lib/leads/comparable-text'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { toPhoneSearchText } from '@/lib/leads/search-terms'
import { encodeUtf8 } from '@/lib/leads/search-texts'
import { toSwedishSortKey } from '@/lib/leads/swedish-sort-key'
import { createDictionaryColumn, createNumberColumn, createTextColumn, type DictionaryColumn } from './columns'
import { compact, createTextStore, createTextWriter, type TextStore, trimTexts } from './text-store'

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
  readonly textIndex: Uint32Array
  readonly texts: TextStore
  readonly sortName: readonly string[]
}

/** Builds columns row by row. `copyFromBase` takes rows of `base`, the columns of the previous body, as they are. */
export function createColumnBuilder(base?: LeadColumns) {
  const { store, textIndexes } = base ? compact(base.texts, base.textIndex) : { store: createTextStore() }
  const writeText = createTextWriter(store)
  const createdAt = createNumberColumn(Float64Array, base?.createdAt)
  const id = createTextColumn(base?.id)
  const idHash = createNumberColumn(Uint32Array, base?.idHash)
  const school = createDictionaryColumn(base?.school)
  const year = createNumberColumn(Int32Array, base?.year)
  const mode = createDictionaryColumn(base?.mode)
  const emailKey = createNumberColumn(Float64Array, base?.emailKey)
  const phoneKey = createNumberColumn(Float64Array, base?.phoneKey)
  const textIndex = createNumberColumn(Uint32Array, textIndexes)
  const sortName = createTextColumn(base?.sortName)
  const columns = [createdAt, id, idHash, school, year, mode, emailKey, phoneKey, textIndex, sortName]
  const sortNames = new Map<string, string>()

  function push(row: Row): void {
    id.push(row.id)
    idHash.push(hashId(row.id))
    createdAt.push(row.createdAt)
    school.push(row.school)
    year.push(row.year)
    mode.push(row.mode)
    emailKey.push(row.emailKey)
    phoneKey.push(row.phoneKey)
    textIndex.push(writeText(row.searchText))
    // Leads of the same name share one string.
    const name = sortNames.get(row.sortName) ?? row.sortName
    sortNames.set(name, name)
    sortName.push(name)
  }

  return {
    add: (lead: Lead): void => push(toRow(lead)),
    addBlank: (recordId: string): void => push({ ...BLANK_ROW, id: recordId }),
    copyFromBase: (start: number, end: number): void => columns.forEach((column) => column.copyFromBase(start, end)),
    finish: (): LeadColumns => {
      // The store of a next body keeps its spare room for the few new texts of the bodies to come.
      if (base === undefined) trimTexts(store)
      return {
        createdAt: createdAt.finish(),
        id: id.finish(),
        idHash: idHash.finish(),
        school: school.finish(),
        year: year.finish(),
        mode: mode.finish(),
        emailKey: emailKey.finish(),
        phoneKey: phoneKey.finish(),
        textIndex: textIndex.finish(),
        texts: store,
        sortName: sortName.finish(),
      }
    },
  }
}

const BLANK_ROW = {
  id: '',
  createdAt: 0,
  school: null as string | null,
  year: NO_YEAR,
  /** Null for a blank row, and the empty text for declarations, which have no mode. */
  mode: null as string | null,
  emailKey: NO_KEY,
  phoneKey: NO_KEY,
  searchText: encodeUtf8(''),
  sortName: '',
}
type Row = typeof BLANK_ROW

const MAX_INT32 = 2_147_483_647

function toRow(lead: Lead): Row {
  const { email, phone } = 'sender' in lead ? lead.sender : lead.user
  const writtenTexts = 'sender' in lead ? [email, lead.question] : [lead.user.firstName, lead.user.lastName, email]
  const writtenText = writtenTexts.filter((text) => text !== null).join(' ')
  const searchTexts = [foldText(writtenText), phone === null ? '' : toPhoneSearchText(phone)]
  const row = {
    ...BLANK_ROW,
    id: lead.id,
    createdAt: Date.parse(lead.createdAt),
    school: lead.highSchoolId,
    emailKey: hashEmail(email),
    phoneKey: hashPhone(phone),
    searchText: encodeUtf8(searchTexts.filter((text) => text !== '').join(' ')),
  }
  if ('sender' in lead) return { ...row, mode: lead.sender.mode, sortName: toSwedishSortKey(email ?? phone ?? '') }
  const { firstName, lastName, highSchoolEnrollmentYear: year } = lead.user
  const name = [firstName, lastName].filter((text) => text !== null).join(' ')
  // Years outside the column's range are clamped, so that they still sort last and first.
  const columnYear = year === null ? NO_YEAR : Math.max(NO_YEAR + 1, Math.min(MAX_INT32, year))
  return { ...row, mode: '', sortName: toSwedishSortKey(name), year: columnYear }
}

/** FNV-1a over the code units, its high bits folded into the low ones that choose the slot of a hash table. */
export function hashId(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

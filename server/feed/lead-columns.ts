import 'server-only'
import { hashEmail, hashPhone, NO_KEY } from '@/lib/contacts/contact-key'
import type { Lead } from '@/lib/contract/lead'
import { foldAccents, plainLetters, swedishSortKey } from '@/lib/leads/comparable-text'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { phoneSearchText } from '@/lib/leads/search-terms'
import { encodeLetterMarks } from '@/lib/leads/letter-marks'
import { encodeUtf8 } from '@/lib/leads/search-texts'
import { compact, createTextStore, createTextWriter, type TextStore } from './text-store'

/** The columns of leads in the order they were added; blank rows stand for records that are no leads. */
export type LeadColumns = {
  readonly createdAt: Float64Array
  readonly id: readonly string[]
  readonly idHash: Uint32Array
  readonly school: TextColumn
  readonly year: Int32Array
  readonly mode: TextColumn
  readonly emailKey: Float64Array
  readonly phoneKey: Float64Array
  readonly text: Uint32Array
  readonly texts: TextStore
  readonly sortName: readonly string[]
}

/** Builds columns row by row. Stretches of `base`, the columns of the previous body, are copied. */
export function createColumnBuilder(base: LeadColumns | null = null) {
  const { store, rows } = base === null ? { store: createTextStore(), rows: null } : compact(base.texts, base.text)
  const writeText = createTextWriter(store)
  const columns = {
    createdAt: createNumberColumn<Float64Array>(Float64Array, base?.createdAt),
    id: createTextColumn(base?.id),
    idHash: createNumberColumn<Uint32Array>(Uint32Array, base?.idHash),
    school: createDictionaryColumn(base?.school),
    year: createNumberColumn<Int32Array>(Int32Array, base?.year),
    mode: createDictionaryColumn(base?.mode),
    emailKey: createNumberColumn<Float64Array>(Float64Array, base?.emailKey),
    phoneKey: createNumberColumn<Float64Array>(Float64Array, base?.phoneKey),
    text: createNumberColumn<Uint32Array>(Uint32Array, rows ?? undefined),
    sortName: createTextColumn(base?.sortName),
  }
  const builders = Object.values(columns)
  const sortNames = new Map<string, string>()

  function push(leadId: string, moment: number, schoolId: string | null, cells: LeadCells): void {
    columns.id.push(leadId)
    columns.idHash.push(hashId(leadId))
    columns.createdAt.push(moment)
    columns.school.push(schoolId)
    columns.year.push(cells.year)
    columns.mode.push(cells.mode)
    columns.emailKey.push(cells.emailKey)
    columns.phoneKey.push(cells.phoneKey)
    columns.text.push(writeText(cells.searchText, cells.letters))
    // Leads of the same name share one string.
    const sortName = sortNames.get(cells.sortName) ?? cells.sortName
    sortNames.set(sortName, sortName)
    columns.sortName.push(sortName)
  }

  return {
    add: (lead: Lead): void => push(lead.id, Date.parse(lead.createdAt), lead.highSchoolId, toLeadCells(lead)),
    addBlank: (blankId: string): void => push(blankId, 0, null, BLANK_CELLS),
    copyFromBase: (start: number, end: number): void => builders.forEach((column) => column.copyFromBase(start, end)),
    finish: (): LeadColumns => {
      if (base === null) store.trim()
      return { ...finishColumns(columns), texts: store }
    },
  }
}

type LeadCells = {
  /** The search text is in UTF-8. */
  searchText: Uint8Array
  /** The marks say which a and o are å ä ö (`lib/leads/letter-marks`). */
  letters: readonly number[]
  sortName: string
  year: number
  mode: string | null
  emailKey: number
  phoneKey: number
}

const BLANK_CELLS: LeadCells = {
  searchText: new Uint8Array(0),
  letters: [],
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
  const digits = phone === null ? '' : phoneSearchText(phone)
  const searched = {
    searchText: encodeUtf8([plainLetters(folded), digits].filter((part) => part !== '').join(' ')),
    letters: encodeLetterMarks(folded),
    emailKey: hashEmail(email),
    phoneKey: hashPhone(phone),
  }
  if ('sender' in lead)
    return { ...searched, sortName: swedishSortKey(email ?? phone ?? ''), year: NO_YEAR, mode: lead.sender.mode }
  const { firstName, lastName, highSchoolEnrollmentYear: year } = lead.user
  return {
    ...searched,
    sortName: swedishSortKey([firstName, lastName].filter((part) => part !== null).join(' ')),
    // Absurd years become the column's ends, so that they still sort last and first.
    year: year === null ? NO_YEAR : Math.max(NO_YEAR + 1, Math.min(MAX_YEAR, year)),
    mode: '',
  }
}

/** FNV-1a over the code units, its high bits folded into the low ones that choose the slot. */
export function hashId(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

type Column = { copyFromBase: (start: number, end: number) => void; finish: () => unknown }
type FinishedColumns<C> = { [Name in keyof C]: C[Name] extends { finish: () => infer T } ? T : never }

export function finishColumns<C extends Record<string, Column>>(columns: C): FinishedColumns<C> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, column.finish()]),
  ) as FinishedColumns<C>
}

/** Texts that repeat: each row is an index into the distinct `texts`, every one of which occurs. */
export type TextColumn = { readonly indexes: Uint32Array; readonly texts: readonly string[] }

export const NO_TEXT = 4_294_967_295

export function createDictionaryColumn(base?: TextColumn) {
  const texts = [...(base?.texts ?? [])]
  const indexOf = new Map(texts.map((text, index) => [text, index]))
  const indexes = createNumberColumn<Uint32Array>(Uint32Array, base?.indexes)

  function internText(text: string): number {
    const index = indexOf.get(text)
    if (index !== undefined) return index
    indexOf.set(text, texts.length)
    return texts.push(text) - 1
  }

  return {
    push: (text: string | null): void => indexes.push(text === null ? NO_TEXT : internText(text)),
    copyFromBase: indexes.copyFromBase,
    /** Unused texts are dropped, because a column that is carried from refresh to refresh would grow for ever. */
    finish: (): TextColumn => {
      const all = indexes.finish()
      if (texts.length === 0) return { indexes: all, texts }
      const isUsed = new Uint8Array(texts.length)
      for (let row = 0; row < all.length; row++) isUsed[all[row] ?? NO_TEXT] = 1
      if (!isUsed.includes(0)) return { indexes: all, texts }
      let used = 0
      const renumbered = Array.from(isUsed, (flag) => (flag === 0 ? NO_TEXT : used++))
      const remaining = all.map((index) => renumbered[index] ?? NO_TEXT)
      return { indexes: remaining, texts: texts.filter((_, index) => isUsed[index] === 1) }
    },
  }
}

export type NumberArray = Float64Array | Int32Array | Uint32Array

const FIRST_CAPACITY = 1_024
const ROOM_FOR_NEW = 64

/** A typed array that grows. `copyFromBase` appends rows of `base`, each increased by `shift`. */
export function createNumberColumn<T extends NumberArray>(ArrayType: new (length: number) => T, base?: T) {
  let values = new ArrayType(base === undefined ? FIRST_CAPACITY : base.length + ROOM_FOR_NEW)
  // `values` by a type that can be assigned by index.
  let cells: NumberArray = values
  let size = 0

  function reserve(length: number): void {
    if (length <= values.length) return
    const larger = new ArrayType(Math.max(length, values.length * 2))
    larger.set(values)
    values = larger
    cells = larger
  }

  return {
    push: (value: number): void => {
      if (size === cells.length) reserve(size + 1)
      cells[size++] = value
    },
    copyFromBase: (start: number, end: number, shift = 0): void => {
      if (base === undefined) return
      const until = size + end - start
      reserve(until)
      cells.set(base.subarray(start, end), size)
      if (shift !== 0) for (let index = size; index < until; index++) cells[index] = (cells[index] ?? 0) + shift
      size = until
    },
    finish: (): T => values.slice(0, size) as T,
  }
}

function createTextColumn(base: readonly string[] = []) {
  const texts: string[] = []
  return {
    push: (text: string): void => void texts.push(text),
    copyFromBase: (start: number, end: number): void => {
      for (let index = start; index < end; index++) texts.push(base[index] ?? '')
    },
    finish: (): readonly string[] => texts.slice(),
  }
}

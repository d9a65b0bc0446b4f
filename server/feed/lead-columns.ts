import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import { BLANK_TEXTS, createLeadTexts, type LeadTexts } from './lead-texts'
import { createTextStore, createTextWriter, type TextStore, tidied } from './text-store'

/** The columns of some leads in the order they were added; blank rows stand for records that are no leads. */
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

type ColumnBuilder = {
  add: (lead: Lead) => void
  addBlank: (id: string) => void
  /** Appends rows of the columns that this builder was based on. */
  append: (start: number, end: number) => void
  /** The columns so far, each no larger than it needs to be. */
  finish: () => LeadColumns
}

/** Collects columns; those based on earlier ones can take over unchanged stretches of them by plain copies. */
export function createColumnBuilder(base: LeadColumns | null = null): ColumnBuilder {
  const capacity = base === null ? 1024 : base.id.length + 64
  const textsOf = createLeadTexts()
  const createdAt = float64s(capacity)
  const idHash = createNumberColumn<Uint32Array>((length) => new Uint32Array(length), capacity)
  const year = createNumberColumn<Int32Array>((length) => new Int32Array(length), capacity)
  const keys = createContactKeys(base, capacity)
  const school = createDictionaryColumn(base?.school ?? null, capacity)
  const mode = createDictionaryColumn(base?.mode ?? null, capacity)
  const search = createSearchColumns(base, capacity)
  const [id, sortName] = [createTextCollector(), createTextCollector()]

  function push(leadId: string, moment: number, schoolId: string | null, texts: LeadTexts): void {
    id.push(leadId)
    idHash.push(hashId(leadId))
    createdAt.push(moment)
    school.push(schoolId)
    year.push(texts.year)
    mode.push(texts.mode)
    keys.push(texts)
    search.push(texts)
    sortName.push(texts.sortName)
  }

  return {
    add: (lead) => push(lead.id, Date.parse(lead.createdAt), lead.highSchoolId, textsOf(lead)),
    addBlank: (blankId) => push(blankId, 0, null, BLANK_TEXTS),
    append: (start, end) => {
      if (base === null) return
      createdAt.append(base.createdAt, start, end)
      idHash.append(base.idHash, start, end)
      year.append(base.year, start, end)
      school.append(start, end)
      mode.append(start, end)
      keys.append(start, end)
      search.append(start, end)
      id.append(base.id, start, end)
      sortName.append(base.sortName, start, end)
    },
    finish: () => ({
      createdAt: createdAt.finish(),
      id: id.finish(),
      idHash: idHash.finish(),
      school: school.finish(),
      year: year.finish(),
      mode: mode.finish(),
      ...keys.finish(),
      ...search.finish(),
      sortName: sortName.finish(),
    }),
  }
}

function createContactKeys(base: LeadColumns | null, capacity: number) {
  const emailKey = float64s(capacity)
  const phoneKey = float64s(capacity)
  return {
    push: (texts: LeadTexts) => {
      emailKey.push(texts.emailKey)
      phoneKey.push(texts.phoneKey)
    },
    append: (start: number, end: number) => {
      if (base === null) return
      emailKey.append(base.emailKey, start, end)
      phoneKey.append(base.phoneKey, start, end)
    },
    finish: () => ({ emailKey: emailKey.finish(), phoneKey: phoneKey.finish() }),
  }
}

/** Which of the texts to search in each row has; a list shares them with the one before it. */
function createSearchColumns(base: LeadColumns | null, capacity: number) {
  const { store, rows } = base === null ? { store: createTextStore(), rows: null } : tidied(base.texts, base.text)
  const numberOf = createTextWriter(store)
  const text = createNumberColumn<Uint32Array>((length) => new Uint32Array(length), capacity)
  return {
    push: ({ searchText, letters }: LeadTexts) => text.push(numberOf(searchText, letters)),
    append: (start: number, end: number) => {
      if (rows !== null) text.append(rows, start, end)
    },
    finish: () => {
      if (rows === null) store.settle()
      return { text: text.finish(), texts: store }
    },
  }
}

function float64s(capacity: number): NumberColumn<Float64Array> {
  return createNumberColumn<Float64Array>((length) => new Float64Array(length), capacity)
}

/** FNV-1a over the code units, its high bits folded into the low ones that choose the slot. */
export function hashId(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** A column of texts that repeat: each row is an index into the distinct `texts`, every one of which occurs. */
export type TextColumn = { readonly indexes: Uint32Array; readonly texts: readonly string[] }

/** The index of a row that has no text. */
export const NO_TEXT = 4_294_967_295

type DictionaryColumn = {
  push: (text: string | null) => void
  /** Appends rows of the column that this one was based on. */
  append: (start: number, end: number) => void
  finish: () => TextColumn
}

export function createDictionaryColumn(base: TextColumn | null, capacity: number): DictionaryColumn {
  const texts = base === null ? [] : [...base.texts]
  const indexOf = new Map(texts.map((text, index) => [text, index]))
  const indexes = createNumberColumn<Uint32Array>((length) => new Uint32Array(length), capacity)

  function indexFor(text: string): number {
    const known = indexOf.get(text)
    if (known !== undefined) return known
    indexOf.set(text, texts.length)
    return texts.push(text) - 1
  }

  return {
    push: (text) => indexes.push(text === null ? NO_TEXT : indexFor(text)),
    append: (start, end) => {
      if (base !== null) indexes.append(base.indexes, start, end)
    },
    finish: () => withoutUnused(indexes.finish(), texts),
  }
}

/** Texts whose last row went away go too, so that a column carried from refresh to refresh does not grow for ever. */
function withoutUnused(indexes: Uint32Array, texts: readonly string[]): TextColumn {
  if (texts.length === 0) return { indexes, texts }
  const isUsed = new Uint8Array(texts.length)
  for (let row = 0; row < indexes.length; row++) isUsed[indexes[row] ?? NO_TEXT] = 1
  if (!isUsed.includes(0)) return { indexes, texts }
  let used = 0
  const renumbered = Array.from(isUsed, (flag) => (flag === 0 ? NO_TEXT : used++))
  const remaining = indexes.map((index) => renumbered[index] ?? NO_TEXT)
  return { indexes: remaining, texts: texts.filter((_, index) => isUsed[index] === 1) }
}

type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array

/** A typed array that grows; `finish` gives it in its exact length. */
type NumberColumn<T extends Numbers> = {
  push: (value: number) => void
  /** Appends `from[start..end)`, each increased by `shift`. */
  append: (from: T, start: number, end: number, shift?: number) => void
  finish: () => T
}

export function createNumberColumn<T extends Numbers>(
  allocate: (length: number) => T,
  capacity: number,
): NumberColumn<T> {
  let values = allocate(Math.max(capacity, 16))
  let cells: Numbers = values
  let size = 0

  function reserve(length: number): void {
    if (length <= values.length) return
    const larger = allocate(Math.max(length, values.length * 2))
    larger.set(values)
    values = larger
    cells = larger
  }

  return {
    push: (value) => {
      if (size === cells.length) reserve(size + 1)
      cells[size++] = value
    },
    append: (from, start, end, shift = 0) => {
      const until = size + end - start
      reserve(until)
      cells.set(from.subarray(start, end), size)
      if (shift !== 0) for (let at = size; at < until; at++) cells[at] = (cells[at] ?? 0) + shift
      size = until
    },
    finish: () => {
      const exact = allocate(size)
      exact.set(values.subarray(0, size))
      return exact
    },
  }
}

/** Collects texts. Long stretches of an earlier column are taken over by native copies, which cost next to nothing. */
type TextCollector = {
  push: (text: string) => void
  /** Appends `from[start..end)`. */
  append: (from: readonly string[], start: number, end: number) => void
  finish: () => readonly string[]
}

const LONG_STRETCH = 64

function createTextCollector(): TextCollector {
  const stretches: (readonly string[])[] = []
  let last: string[] = []

  function closeLast(): void {
    if (last.length > 0) stretches.push(last)
    last = []
  }

  return {
    push: (text) => void last.push(text),
    append: (from, start, end) => {
      if (end - start < LONG_STRETCH) {
        for (let at = start; at < end; at++) last.push(from[at] ?? '')
        return
      }
      closeLast()
      stretches.push(from.slice(start, end))
    },
    finish: () => {
      closeLast()
      return new Array<string>().concat(...stretches)
    },
  }
}

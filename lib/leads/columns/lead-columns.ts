import type { Lead } from '@/lib/contract/lead'
import { createDictionaryColumn, type TextColumn } from './dictionary-column'
import { hashId } from './id-index'
import { BLANK_TEXTS, createLeadTexts, type LeadTexts } from './lead-texts'
import { createNumberColumn, type NumberColumn } from './number-column'
import { createTextCollector } from './text-collector'

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
  readonly searchText: readonly string[]
  readonly sortName: readonly string[]
}

export type ColumnBuilder = {
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
  const [id, searchText, sortName] = [createTextCollector(), createTextCollector(), createTextCollector()]

  function push(leadId: string, moment: number, schoolId: string | null, texts: LeadTexts): void {
    id.push(leadId)
    idHash.push(hashId(leadId))
    createdAt.push(moment)
    school.push(schoolId)
    year.push(texts.year)
    mode.push(texts.mode)
    keys.push(texts)
    searchText.push(texts.searchText)
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
      id.append(base.id, start, end)
      searchText.append(base.searchText, start, end)
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
      searchText: searchText.finish(),
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

function float64s(capacity: number): NumberColumn<Float64Array> {
  return createNumberColumn<Float64Array>((length) => new Float64Array(length), capacity)
}

import { isQueue, type LeadListQuery, type ListOrQueue } from '@/lib/api/leads'
import type { LeadFilter } from '@/lib/contract/list-query'
import { CONTACT_MODES, isClosed, LEAD_KINDS, LEAD_STATUSES, LISTS, SORTS } from '@/lib/contract/lists'

const readMany =
  <Value extends string>(known: readonly Value[]) =>
  (texts: string[]): readonly Value[] =>
    texts.flatMap((text) => known.filter((value) => value === text))
const readOne =
  <Value extends string>(known: readonly Value[]) =>
  ([text]: string[]): Value | null =>
    known.find((value) => value === text) ?? null
const readIds = (texts: string[]): readonly string[] => texts
const readYears = (texts: string[]): readonly number[] => texts.filter((text) => /^-?\d{1,5}$/.test(text)).map(Number)
const readDay = ([text = '']: string[]): string | null => {
  // The API accepts the years from 1900 to 8999 (`boundedDaySchema`).
  const ms = /^(?:19|[2-8]\d)\d{2}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // The 31st of February is parsed as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? text : null
}
/** `1` shows only these leads, `0` only the others, `all` both, and null what the list shows by default. */
const readYesNo = readOne(['1', '0'])
const readYesNoAll = readOne(['1', '0', 'all'])

const PARAMS = {
  school: readIds,
  status: readMany(LEAD_STATUSES),
  year: readYears,
  mode: readMany(CONTACT_MODES),
  topic: readIds,
  assignee: readIds,
  fresh: readOne(['1']),
  from: readDay,
  to: readDay,
  waiting: readYesNo,
  late: readYesNo,
  answered: readYesNo,
  followUp: readYesNo,
  snoozed: readYesNoAll,
  earlier: readYesNoAll,
  sort: readOne(SORTS),
  /** Only a queue has this parameter. */
  kind: readOne(LEAD_KINDS),
}

export type FilterParams = { [Name in keyof typeof PARAMS]: ReturnType<(typeof PARAMS)[Name]> }

/** Reads the filter of an address and ignores what it cannot read. Search texts are never in an address (`search-text.ts`). */
export function readFilterParams(search: URLSearchParams): FilterParams {
  const values = Object.entries(PARAMS).map(([name, read]) => [name, read(search.getAll(name))])
  return Object.fromEntries(values) as FilterParams
}

export function toParamValues(value: FilterParams[keyof FilterParams]): string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value.map(String)
}

/** Makes the query of the API from URL and search field. Equal filters give equal queries, whatever the order of their values. */
export function toListQuery(listOrQueue: ListOrQueue, params: FilterParams, text = ''): LeadListQuery {
  const q = toSearchText(text)
  const isAllowedValue = (value: string | number) =>
    typeof value === 'number' ? value >= -9999 && value <= 99_999 : value !== ''
  const readLists = (...names: ('school' | 'status' | 'year' | 'mode' | 'topic' | 'assignee')[]): LeadFilter => {
    const distinct = names.map((name) => [name, [...new Set(params[name].filter(isAllowedValue))].toSorted()] as const)
    return Object.fromEntries(distinct.filter(([, values]) => values.length > 0))
  }
  if (isQueue(listOrQueue))
    return { ...readLists('school', 'topic'), ...(params.kind && { kind: params.kind }), ...(q !== '' && { q }) }
  const { sorts, ownFilter } = LISTS[listOrQueue]
  const days = (['from', 'to'] as const).filter((name) => params[name] !== null)
  const flags = WORK_FLAGS.filter((name) => params[name] === '1' || params[name] === '0')
  const filter: LeadFilter = {
    ...readLists('school', 'status', 'assignee'),
    ...(ownFilter === 'year' ? readLists('year') : readLists('mode', 'topic')),
    ...(params.fresh !== null && { fresh: true }),
    ...Object.fromEntries(days.map((name) => [name, params[name]])),
    ...(q !== '' && { q }),
    ...Object.fromEntries(flags.map((name) => [name, params[name] === '1'])),
  }
  const sort = sorts.find((known) => known === params.sort)
  return {
    ...defaultFilter(filter, (name) => params[name] === null),
    ...filter,
    // A search without a chosen order has its best matches first.
    ...(sort === undefined && q !== '' ? {} : { sort: sort ?? '-createdAt' }),
  }
}

export const WORK_FLAGS = ['waiting', 'late', 'answered', 'followUp', 'snoozed', 'earlier'] as const

/** By default a list leaves out earlier and snoozed leads, unless there is a search, a link to a lead, or a filter that decides it. */
export function defaultFilter(
  { q, id, waiting, late, followUp, snoozed }: LeadFilter,
  isUnset: (name: 'earlier' | 'snoozed') => boolean = () => true,
): Pick<LeadFilter, 'earlier' | 'snoozed'> {
  const isNarrow = (q ?? '') !== '' || id !== undefined || waiting === true || late === true || followUp === true
  if (isNarrow || snoozed === true) return {}
  return { ...(isUnset('earlier') && { earlier: false }), ...(isUnset('snoozed') && { snoozed: false }) }
}

/** Tells whether a query shows less than the list does by default. The chosen schools do not count, because they apply to every screen. */
export function isNarrowed(query: LeadListQuery): boolean {
  const defaults: LeadFilter = defaultFilter(query)
  const { school: _everywhere, ...own } = withoutSort(query)
  return Object.entries(own).some(
    ([name, value]) => !((name === 'earlier' || name === 'snoozed') && value === defaults[name]),
  )
}

export type FilterChange = Partial<{ [Name in keyof FilterParams]: FilterParams[Name] | null }>

export function switchToDo({ status }: FilterParams, isOn: boolean): FilterChange {
  if (!isOn) return { waiting: null, late: null }
  const open = status.filter((choice) => !isClosed(choice))
  return { waiting: '1', late: null, answered: null, snoozed: null, earlier: null, status: open }
}

export function isToDo({ waiting, late }: FilterParams): boolean {
  return waiting === '1' || (late === '1' && waiting === null)
}

/** Tells whether any filter is set. The switch *to do*, the schools and the order do not count. */
export function hasAnyFilter(params: FilterParams): boolean {
  const { school: _everywhere, sort: _order, kind: _ofQueue, waiting, ...others } = params
  return waiting === '0' || Object.values(others).some((value) => value !== null && value.length > 0)
}

export function toSearchText(text: string): string {
  return text.trim().slice(0, 200)
}

export function withoutSort({ sort: _order, ...filter }: LeadListQuery): LeadFilter {
  return filter
}

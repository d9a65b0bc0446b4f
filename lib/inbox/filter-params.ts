import { isQueue, type LeadListQuery, type ListOrQueue } from '@/lib/api/leads'
import type { LeadFilter, Sort } from '@/lib/contract/list-query'
import { CONTACT_MODES, isClosed, LEAD_KINDS, LEAD_STATUSES, LISTS, SORTS } from '@/lib/contract/lists'

/** `1` shows only these leads, `0` only the others, `all` both. Without the parameter the list has its default. */
const FLAG_VALUES = ['1', '0'] as const
const FLAG_OR_ALL_VALUES = ['1', '0', 'all'] as const

type FlagField = { [Name in keyof LeadFilter]-?: boolean extends LeadFilter[Name] ? Name : never }[keyof LeadFilter]
const FLAG_PARSERS = {
  waiting: parseOne(FLAG_VALUES),
  late: parseOne(FLAG_VALUES),
  answered: parseOne(FLAG_VALUES),
  followUp: parseOne(FLAG_VALUES),
  snoozed: parseOne(FLAG_OR_ALL_VALUES),
  earlier: parseOne(FLAG_OR_ALL_VALUES),
} satisfies Record<Exclude<FlagField, 'fresh'>, unknown>
export type WorkFlag = keyof typeof FLAG_PARSERS
/** The fields of a filter that are true or false, but for `fresh`. */
export const WORK_FLAGS = Object.keys(FLAG_PARSERS) as readonly WorkFlag[]

const PARAM_PARSERS = {
  school: parseIds,
  status: parseMany(LEAD_STATUSES),
  year: parseYears,
  mode: parseMany(CONTACT_MODES),
  topic: parseIds,
  assignee: parseIds,
  fresh: parseOne(['1']),
  from: parseDay,
  to: parseDay,
  ...FLAG_PARSERS,
  sort: parseOne(SORTS),
  /** Only a queue has this parameter. */
  kind: parseOne(LEAD_KINDS),
}

export type FilterParams = { [Name in keyof typeof PARAM_PARSERS]: ReturnType<(typeof PARAM_PARSERS)[Name]> }

/** Parses the filter of an address, and ignores what it cannot parse. Search texts are never in an address. */
export function parseFilterParams(search: URLSearchParams): FilterParams {
  const values = Object.entries(PARAM_PARSERS).map(([name, parse]) => [name, parse(search.getAll(name))])
  return Object.fromEntries(values) as FilterParams
}

function parseMany<Value extends string>(known: readonly Value[]) {
  return (texts: string[]): readonly Value[] => texts.flatMap((text) => known.filter((value) => value === text))
}

function parseOne<Value extends string>(known: readonly Value[]) {
  return ([text]: string[]): Value | null => known.find((value) => value === text) ?? null
}

function parseIds(texts: string[]): readonly string[] {
  return texts.filter((text) => text !== '')
}

function parseYears(texts: string[]): readonly number[] {
  return texts.filter((text) => /^(?:-\d{1,4}|\d{1,5})$/.test(text)).map(Number)
}

/** Parses a day that exists, of the years that the API accepts (`boundedDaySchema`). */
function parseDay([text = '']: string[]): string | null {
  const ms = /^(?:19|[2-8]\d)\d{2}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // The 31st of February is parsed as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? text : null
}

export function toParamValues(value: FilterParams[keyof FilterParams]): string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value.map(String)
}

/** Lists the filter's assignees. The user's own id, as in a colleague's link, is `me`, which has a box to untick. */
export function listAssignees({ assignee }: FilterParams, ownId: string): string[] {
  return [...new Set(assignee.map((id) => (id === ownId ? 'me' : id)))]
}

const PARAMS_OF_OWN_FILTER = { mode: ['mode', 'topic'], year: ['year'] } as const

/** Returns the API's query, which is the same whatever the order of the values in the address. */
export function toListQuery(listOrQueue: ListOrQueue, params: FilterParams, search = ''): LeadListQuery {
  const pick = (...names: ('school' | 'status' | 'year' | 'mode' | 'topic' | 'assignee')[]): LeadFilter => {
    const entries = names.map((name) => [name, [...new Set<string | number>(params[name])].toSorted()] as const)
    return Object.fromEntries(entries.filter(([, values]) => values.length > 0))
  }
  const q = toSearchText(search)
  if (isQueue(listOrQueue)) {
    const query: LeadListQuery = pick('school', 'topic')
    if (params.kind !== null) query.kind = params.kind
    if (q !== '') query.q = q
    return query
  }
  const { sorts, ownFilter } = LISTS[listOrQueue]
  const query: LeadListQuery = pick('school', 'status', 'assignee', ...PARAMS_OF_OWN_FILTER[ownFilter])
  if (params.fresh !== null) query.fresh = true
  if (params.from !== null) query.from = params.from
  if (params.to !== null) query.to = params.to
  if (q !== '') query.q = q
  for (const name of WORK_FLAGS) if (params[name] === '1' || params[name] === '0') query[name] = params[name] === '1'
  const defaults = findDefaultFilter(query)
  for (const name of ['earlier', 'snoozed'] as const)
    if (params[name] === null && defaults[name] !== undefined) query[name] = defaults[name]
  const sort = sorts.find((known) => known === params.sort) ?? findDefaultSort(q)
  if (sort !== undefined) query.sort = sort
  return query
}

/** A list is sorted newest first. A search has no order by default, so that its best matches are first. */
export function findDefaultSort(q = ''): Sort | undefined {
  return q.trim() === '' ? '-createdAt' : undefined
}

/** Leaves out earlier and snoozed leads, unless a search, a link to a lead or a filter of open work may mean them. */
export function findDefaultFilter({ q, id, waiting, late, followUp, snoozed }: LeadFilter): LeadFilter {
  if (q || id !== undefined || waiting || late || followUp || snoozed) return {}
  return { earlier: false, snoozed: false }
}

/** Tells whether other leads are shown than by default. Schools do not count, as they are chosen for every screen. */
export function isNarrowed(query: LeadListQuery): boolean {
  const defaults = findDefaultFilter(query)
  const { school: _school, earlier, snoozed, ...others } = omitSort(query)
  const isUnusual = (flag?: boolean, usual?: boolean) => flag !== undefined && flag !== usual
  return isUnusual(earlier, defaults.earlier) || isUnusual(snoozed, defaults.snoozed) || Object.keys(others).length > 0
}

export type FilterChange = { [Name in keyof FilterParams]?: FilterParams[Name] | null }

export function setToDo({ status }: FilterParams, isOn: boolean): FilterChange {
  if (!isOn) return { waiting: null, late: null }
  const openStatuses = status.filter((choice) => !isClosed(choice))
  return { waiting: '1', late: null, answered: null, snoozed: null, earlier: null, status: openStatuses }
}

export function isToDo({ waiting, late }: FilterParams): boolean {
  return waiting === '1' || (late === '1' && waiting === null)
}

/** Tells whether a filter is set. The switch *to do*, schools, the order and a queue's kind do not count. */
export function hasAnyFilter(params: FilterParams): boolean {
  const { school: _school, sort: _sort, kind: _kind, waiting, ...others } = params
  return waiting === '0' || Object.values(others).some((value) => value !== null && value.length > 0)
}

/** The API refuses a longer search text. */
const MAX_SEARCH_LENGTH = 200

export function toSearchText(text: string): string {
  return text.trim().slice(0, MAX_SEARCH_LENGTH)
}

export function omitSort({ sort: _sort, ...filter }: LeadListQuery): LeadFilter {
  return filter
}

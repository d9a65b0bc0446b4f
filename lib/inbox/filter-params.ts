import { isQueue, type LeadListQuery, type Place } from '@/lib/api/leads'
import type { LeadFilter } from '@/lib/contract/list-query'
import { CONTACT_MODES, isClosed, LEAD_KINDS, LEAD_STATUSES, LISTS, SORTS } from '@/lib/contract/lists'

const many =
  <Value extends string>(known: readonly Value[]) =>
  (texts: string[]): readonly Value[] =>
    texts.flatMap((text) => known.filter((value) => value === text))
const one =
  <Value extends string>(known: readonly Value[]) =>
  ([text]: string[]): Value | null =>
    known.find((value) => value === text) ?? null
const ids = (texts: string[]): readonly string[] => texts
const years = (texts: string[]): readonly number[] => texts.filter((text) => /^-?\d{1,5}$/.test(text)).map(Number)
const day = ([text = '']: string[]): string | null => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // The 31st of February is parsed as a day in March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? text : null
}
/** Only those, only the others, or (null) as the screen has it by itself; `all` where it leaves some out by itself. */
const yesOrNo = one(['1', '0'])
const yesNoOrAll = one(['1', '0', 'all'])

const PARAMS = {
  school: ids,
  status: many(LEAD_STATUSES),
  year: years,
  mode: many(CONTACT_MODES),
  topic: ids,
  assignee: ids,
  fresh: one(['1']),
  from: day,
  to: day,
  waiting: yesOrNo,
  late: yesOrNo,
  answered: yesOrNo,
  followUp: yesOrNo,
  snoozed: yesNoOrAll,
  earlier: yesNoOrAll,
  sort: one(SORTS),
  /** Of a queue. */
  kind: one(LEAD_KINDS),
}

export type FilterParams = { [Name in keyof typeof PARAMS]: ReturnType<(typeof PARAMS)[Name]> }

/** What cannot be read is ignored. Search texts have no place in a URL (`search-text.ts`). */
export function readFilterParams(search: URLSearchParams): FilterParams {
  const values = Object.entries(PARAMS).map(([name, read]) => [name, read(search.getAll(name))])
  return Object.fromEntries(values) as FilterParams
}

export function writtenParam(value: FilterParams[keyof FilterParams]): string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value.map(String)
}

/** The API's query for what the URL and the search field say; two spellings of one filter are one query. */
export function toListQuery(place: Place, params: FilterParams, text = ''): LeadListQuery {
  const q = searchOf(text)
  const isAskable = (value: string | number) =>
    typeof value === 'number' ? value >= -9999 && value <= 99_999 : value !== ''
  const listed = (...names: ('school' | 'status' | 'year' | 'mode' | 'topic' | 'assignee')[]): LeadFilter => {
    const distinct = names.map((name) => [name, [...new Set(params[name].filter(isAskable))].toSorted()] as const)
    return Object.fromEntries(distinct.filter(([, values]) => values.length > 0))
  }
  if (isQueue(place))
    return { ...listed('school', 'topic'), ...(params.kind && { kind: params.kind }), ...(q !== '' && { q }) }
  const { sorts, ownFilter } = LISTS[place]
  const days = (['from', 'to'] as const).filter((name) => params[name] !== null)
  const flags = WORK_FLAGS.filter((name) => params[name] === '1' || params[name] === '0')
  const filter: LeadFilter = {
    ...listed('school', 'status', 'assignee'),
    ...(ownFilter === 'year' ? listed('year') : listed('mode', 'topic')),
    ...(params.fresh !== null && { fresh: true }),
    ...Object.fromEntries(days.map((name) => [name, params[name]])),
    ...(q !== '' && { q }),
    ...Object.fromEntries(flags.map((name) => [name, params[name] === '1'])),
  }
  const sort = sorts.find((known) => known === params.sort)
  return {
    ...usual(filter, (name) => params[name] === null),
    ...filter,
    // Without one, a search has its best matches first.
    ...(sort === undefined && q !== '' ? {} : { sort: sort ?? '-createdAt' }),
  }
}

export const WORK_FLAGS = ['waiting', 'late', 'answered', 'followUp', 'snoozed', 'earlier'] as const

/** What screens leave out by themselves. Not in a search, for a link to a lead, or where the filter implies it. */
export function usual(
  { q, id, waiting, late, followUp, snoozed }: LeadFilter,
  isOpen: (name: 'earlier' | 'snoozed') => boolean = () => true,
): Pick<LeadFilter, 'earlier' | 'snoozed'> {
  const isNarrow = (q ?? '') !== '' || id !== undefined || waiting === true || late === true || followUp === true
  if (isNarrow || snoozed === true) return {}
  return { ...(isOpen('earlier') && { earlier: false }), ...(isOpen('snoozed') && { snoozed: false }) }
}

/** Whether it shows less than the list by itself does. Which schools are shown is no filter of one list. */
export function isNarrowed(query: LeadListQuery): boolean {
  const byItself: LeadFilter = usual(query)
  const { school: _everywhere, ...own } = filterOf(query)
  return Object.entries(own).some(
    ([name, value]) => !((name === 'earlier' || name === 'snoozed') && value === byItself[name]),
  )
}

export type FilterChange = Partial<{ [Name in keyof FilterParams]: FilterParams[Name] | null }>

export function toDo({ status }: FilterParams, isOn: boolean): FilterChange {
  if (!isOn) return { waiting: null, late: null }
  const open = status.filter((its) => !isClosed(its))
  return { waiting: '1', late: null, answered: null, snoozed: null, earlier: null, status: open }
}

export function isToDo({ waiting, late }: FilterParams): boolean {
  return waiting === '1' || (late === '1' && waiting === null)
}

/** Whether anything is set besides that switch, the schools, which stand above every screen, and the order. */
export function isAnySet(params: FilterParams): boolean {
  const { school: _everywhere, sort: _order, kind: _ofQueue, waiting, ...others } = params
  return waiting === '0' || Object.values(others).some((value) => value !== null && value.length > 0)
}

export function searchOf(text: string): string {
  return text.trim().slice(0, 200)
}

export function filterOf({ sort: _order, ...filter }: LeadListQuery): LeadFilter {
  return filter
}

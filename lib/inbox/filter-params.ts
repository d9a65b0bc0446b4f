import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { CONTACT_MODES, isClosed, LEAD_STATUSES, LISTS, SORTS } from '@/lib/contract/lists'

type Read<Value> = (texts: string[]) => Value

const many =
  <Value extends string>(known: readonly Value[]): Read<readonly Value[]> =>
  (texts) =>
    texts.flatMap((text) => known.filter((value) => value === text))
const one =
  <Value extends string>(known: readonly Value[]): Read<Value | null> =>
  ([text]) =>
    known.find((value) => value === text) ?? null
const ids: Read<readonly string[]> = (texts) => texts
const years: Read<readonly number[]> = (texts) => texts.filter((text) => /^-?\d{1,5}$/.test(text)).map(Number)
const day: Read<string | null> = ([text = '']) => (/^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDay(text) ? text : null)
/** Only those, only the others, or (null) as the screen has it by itself; `all` where it leaves some out by itself. */
const yesOrNo = one(['1', '0'])
const yesNoOrAll = one(['1', '0', 'all'])

function isRealDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

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
}

export type FilterParams = { [Name in keyof typeof PARAMS]: ReturnType<(typeof PARAMS)[Name]> }

/** What cannot be read is ignored. Search texts have no place in a URL (`search-text.ts`). */
export function readFilterParams(search: URLSearchParams): FilterParams {
  const read = Object.entries(PARAMS).map(([name, of]) => [name, of(search.getAll(name))])
  return Object.fromEntries(read) as FilterParams
}

export function writtenParam(value: FilterParams[keyof FilterParams]): string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value.map(String)
}

const LISTED = ['school', 'status', 'year', 'mode', 'topic', 'assignee'] as const
/** Parameters of the other list. */
const NOT_OF = { 'asked-questions': ['year'], 'declarations-of-interest': ['mode', 'topic'] }

/** The API's query for what the URL and the search field say; two spellings of one filter are one query. */
export function toListQuery(list: LeadList, params: FilterParams, q = ''): LeadListQuery {
  const { sorts } = LISTS[list]
  const sort = sorts.find((known) => known === params.sort)
  const search = searchOf(q)
  const listed = LISTED.filter((name) => params[name].length > 0 && !NOT_OF[list].includes(name))
  const days = (['from', 'to'] as const).filter((name) => params[name] !== null)
  const flags = WORK_FLAGS.filter((name) => params[name] === '1' || params[name] === '0')
  const filter: LeadFilter = {
    ...Object.fromEntries(listed.map((name) => [name, distinct<string | number>(params[name])])),
    ...(params.fresh !== null && { fresh: true }),
    ...Object.fromEntries(days.map((name) => [name, params[name]])),
    ...(search !== '' && { q: search }),
    ...Object.fromEntries(flags.map((name) => [name, params[name] === '1'])),
  }
  return {
    ...usual(filter, (name) => params[name] === null),
    ...filter,
    // Without one, a search has its best matches first.
    ...(sort === undefined && search !== '' ? {} : { sort: sort ?? '-createdAt' }),
  }
}

function distinct<Value extends string | number>(values: readonly Value[]): Value[] {
  const isAskable = (value: Value) => (typeof value === 'number' ? value >= -9999 && value <= 99_999 : value !== '')
  return [...new Set(values.filter(isAskable))].toSorted()
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

const NOT_WORK = { late: null, answered: null, snoozed: null, earlier: null } satisfies FilterChange

export function toDo({ status }: FilterParams, isOn: boolean): FilterChange {
  if (!isOn) return { waiting: null, late: null }
  return { waiting: '1', ...NOT_WORK, status: status.filter((its) => !isClosed(its)) }
}

export function isToDo({ waiting, late }: FilterParams): boolean {
  return waiting === '1' || (late === '1' && waiting === null)
}

/** Whether anything is set besides that switch, the schools, which stand above every screen, and the order. */
export function isAnySet(params: FilterParams): boolean {
  const { school: _everywhere, sort: _order, waiting, ...others } = params
  return waiting === '0' || Object.values(others).some((value) => value !== null && value.length > 0)
}

export function searchOf(text: string): string {
  return text.trim().slice(0, 200)
}

export function filterOf({ sort: _order, ...filter }: LeadListQuery): LeadFilter {
  return filter
}

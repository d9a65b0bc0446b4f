import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList, LeadStatus } from '@/lib/contract/lead'
import type { LeadFilter, Sort } from '@/lib/contract/list-query'
import { CONTACT_MODES, LEAD_STATUSES, LISTS, SORTS } from '@/lib/contract/lists'
import { addDays, type Period } from '@/lib/time/stockholm'

/** What a page's address says of a list. */
export type FilterParams = {
  school: readonly string[]
  status: readonly LeadStatus[]
  year: readonly number[]
  mode: readonly (typeof CONTACT_MODES)[number][]
  assignee: readonly string[]
  fresh: '1' | null
  from: string | null
  to: string | null
  waiting: YesOrNo
  late: YesOrNo
  answered: YesOrNo
  followUp: YesOrNo
  /** Null: not those, unless something narrower asks for them. */
  snoozed: YesOrNo | 'all'
  earlier: YesOrNo | 'all'
  /** The order that was chosen, if one was. */
  sort: Sort | null
}

/** Only those, only the others, or (null) as the screen has it by itself. */
type YesOrNo = '1' | '0' | null

/**
 * Reads the page URL's parameters, named as the API's. What cannot be read falls back to nothing, so an old or mistyped link
 * still opens the list. The search text is not among them: names and phones have no place in a URL (`search-text.ts`).
 */
export function readFilterParams(search: URLSearchParams): FilterParams {
  return {
    school: search.getAll('school'),
    status: search.getAll('status').flatMap((text) => oneOf(LEAD_STATUSES, text)),
    year: search.getAll('year').flatMap((text) => (/^-?\d{1,5}$/.test(text) ? [Number(text)] : [])),
    mode: search.getAll('mode').flatMap((text) => oneOf(CONTACT_MODES, text)),
    assignee: search.getAll('assignee'),
    fresh: search.get('fresh') === '1' ? '1' : null,
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
    waiting: yesOrNo(search.get('waiting')),
    late: yesOrNo(search.get('late')),
    answered: yesOrNo(search.get('answered')),
    followUp: yesOrNo(search.get('followUp')),
    snoozed: yesNoOrAll(search.get('snoozed')),
    earlier: yesNoOrAll(search.get('earlier')),
    sort: oneOf(SORTS, search.get('sort') ?? '')[0] ?? null,
  }
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value[] {
  return values.filter((value) => value === text)
}

function yesOrNo(text: string | null): YesOrNo {
  return text === '1' || text === '0' ? text : null
}

function yesNoOrAll(text: string | null): YesOrNo | 'all' {
  return text === 'all' ? text : yesOrNo(text)
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function dayOf(text: string | null): string | null {
  return text !== null && DAY.test(text) && isRealDay(text) ? text : null
}

function isRealDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** A parameter as the address takes it: every value it has. */
export function writtenParam(value: FilterParams[keyof FilterParams]): string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value.map(String)
}

/** The API's query for what the URL (and the search field) say; two spellings of one filter are one query. */
export function toListQuery(list: LeadList, params: FilterParams, q = ''): LeadListQuery {
  const { ownFilter } = LISTS[list]
  const sort = LISTS[list].sorts.find((known) => known === params.sort)
  const search = searchOf(q)
  const flags = Object.fromEntries(
    WORK_FLAGS.flatMap((name) => (isYesOrNo(params[name]) ? [[name, params[name] === '1']] : [])),
  )
  const filter: LeadFilter = {
    ...(params.school.length > 0 && { school: distinct(params.school.filter((id) => id !== '')) }),
    ...(params.status.length > 0 && { status: distinct(params.status) }),
    ...(ownFilter === 'year' && params.year.length > 0 && { year: distinct(params.year.filter(isYear)) }),
    ...(ownFilter === 'mode' && params.mode.length > 0 && { mode: distinct(params.mode) }),
    ...(params.assignee.length > 0 && { assignee: distinct(params.assignee.filter((id) => id !== '')) }),
    ...(params.fresh !== null && { fresh: true }),
    ...(params.from !== null && { from: params.from }),
    ...(params.to !== null && { to: params.to }),
    ...(search !== '' && { q: search }),
    ...flags,
  }
  return {
    ...usual(filter, (name) => params[name] === null),
    ...filter,
    // Left out, a search has its best matches first.
    ...(sort === undefined && search !== '' ? {} : { sort: sort ?? '-createdAt' }),
  }
}

function isYesOrNo(value: YesOrNo | 'all'): boolean {
  return value === '1' || value === '0'
}

/** What a lead is to the work: each is asked for with `1`, ruled out with `0`. */
export const WORK_FLAGS = ['waiting', 'late', 'answered', 'followUp', 'snoozed', 'earlier'] as const

/**
 * What the screens leave out by themselves: leads from before the work, and those put aside. Not where something narrower
 * was asked for: a search and a link to a lead find all there is, and what waits or comes back says it already.
 */
export function usual(
  { q, id, waiting, late, followUp, snoozed }: LeadFilter,
  isOpen: (name: 'earlier' | 'snoozed') => boolean = () => true,
): Pick<LeadFilter, 'earlier' | 'snoozed'> {
  const isNarrow = (q ?? '') !== '' || id !== undefined || waiting === true || late === true || followUp === true
  if (isNarrow || snoozed === true) return {}
  return { ...(isOpen('earlier') && { earlier: false }), ...(isOpen('snoozed') && { snoozed: false }) }
}

/** Whether somebody narrowed the list: what a screen leaves out by itself is no filter. */
export function isNarrowed(query: LeadListQuery): boolean {
  const byItself: LeadFilter = usual(query)
  return Object.entries(filterOf(query)).some(
    ([name, value]) => !((name === 'earlier' || name === 'snoozed') && value === byItself[name]),
  )
}

/** How an address says the flags of a query, so that it is read as that query again. */
export function flagParams(query: LeadFilter): Partial<Record<(typeof WORK_FLAGS)[number], '1' | '0' | 'all'>> {
  const byItself: LeadFilter = usual(query)
  const said = (is: boolean | undefined) => (is === undefined ? 'all' : is ? '1' : '0')
  const other = WORK_FLAGS.filter((name) => query[name] !== byItself[name])
  return Object.fromEntries(other.map((name) => [name, said(query[name])]))
}

/** What of a typed text is searched for. */
export function searchOf(text: string): string {
  return text.trim().slice(0, 200)
}

function distinct<T extends string | number>(values: readonly T[]): T[] {
  return [...new Set(values)].toSorted()
}

function isYear(year: number): boolean {
  return year >= -9999 && year <= 99_999
}

/** What a list is narrowed by, without its order. */
export function filterOf({ sort: _order, ...filter }: LeadListQuery): LeadFilter {
  return filter
}

export const PERIOD_PRESETS = ['today', '7-days', '30-days'] as const
type PeriodPreset = (typeof PERIOD_PRESETS)[number]

const DAYS_BACK: Record<PeriodPreset, number> = { today: 1, '7-days': 7, '30-days': 30 }

/** The last days up to and including `today`; open towards the future, so that a saved link goes on to show what is new. */
export function periodOf(preset: PeriodPreset, today: string): Period {
  return { from: addDays(today, 1 - DAYS_BACK[preset]), to: null }
}

/** The preset that a period is today, or null for one of the person's own. */
export function presetOf(period: Period, today: string): PeriodPreset | null {
  if (period.to !== null) return null
  return PERIOD_PRESETS.find((preset) => periodOf(preset, today).from === period.from) ?? null
}

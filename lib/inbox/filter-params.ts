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
  /** The order that was chosen, if one was. */
  sort: Sort | null
}

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
    sort: oneOf(SORTS, search.get('sort') ?? '')[0] ?? null,
  }
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value[] {
  return values.filter((value) => value === text)
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
  return {
    ...(params.school.length > 0 && { school: distinct(params.school.filter((id) => id !== '')) }),
    ...(params.status.length > 0 && { status: distinct(params.status) }),
    ...(ownFilter === 'year' && params.year.length > 0 && { year: distinct(params.year.filter(isYear)) }),
    ...(ownFilter === 'mode' && params.mode.length > 0 && { mode: distinct(params.mode) }),
    ...(params.assignee.length > 0 && { assignee: distinct(params.assignee.filter((id) => id !== '')) }),
    ...(params.fresh !== null && { fresh: true }),
    ...(params.from !== null && { from: params.from }),
    ...(params.to !== null && { to: params.to }),
    ...(search !== '' && { q: search }),
    // Left out, a search has its best matches first.
    ...(sort === undefined && search !== '' ? {} : { sort: sort ?? '-createdAt' }),
  }
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

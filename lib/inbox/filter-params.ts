import {
  createLoader,
  createParser,
  parseAsInteger,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
  type inferParserType,
} from 'nuqs/server'
import type { LeadListQuery } from '@/lib/api/lead-page'
import type { LeadList, LeadStatus } from '@/lib/contract/lead'
import type { Sort } from '@/lib/contract/list-query'

export const STATUSES = ['new', 'in-progress', 'handled', 'dismissed'] as const satisfies readonly LeadStatus[]
export const MODES = ['email', 'phone'] as const
const SORTS = ['-createdAt', 'createdAt', 'name', 'school', 'year'] as const satisfies readonly Sort[]

/** The orders that mean something in a list: a question has neither a name nor a year. */
export const SORTS_OF = {
  'asked-questions': ['-createdAt', 'createdAt', 'school'],
  'declarations-of-interest': SORTS,
} as const satisfies Record<LeadList, readonly Sort[]>

const DAY = /^\d{4}-\d{2}-\d{2}$/

const parseAsDay = createParser({
  parse: (text) => (DAY.test(text) && isRealDay(text) ? text : null),
  serialize: (day: string) => day,
})

/**
 * The page URL's parameters, named as the API's. What cannot be read falls back to nothing, so an old or mistyped link
 * still opens the list. The search text is not among them: names and phones have no place in a URL (`search-memory.ts`).
 */
export const filterParams = {
  school: parseAsNativeArrayOf(parseAsString),
  status: parseAsNativeArrayOf(parseAsStringLiteral(STATUSES)),
  year: parseAsNativeArrayOf(parseAsInteger),
  mode: parseAsNativeArrayOf(parseAsStringLiteral(MODES)),
  from: parseAsDay,
  to: parseAsDay,
  sort: parseAsStringLiteral(SORTS).withDefault('-createdAt'),
}
export type FilterParams = inferParserType<typeof filterParams>

/** The open lead, by its opaque id. */
export const leadParam = parseAsString

/** What a page's server side reads; the browser reads the same through nuqs. */
export const loadFilterParams = createLoader({ ...filterParams, lead: leadParam })

/** The API's query for what the URL (and the search field) say; two spellings of one filter are one query. */
export function toListQuery(list: LeadList, params: FilterParams, q = ''): LeadListQuery {
  const search = q.trim().slice(0, 200)
  const sorts: readonly Sort[] = SORTS_OF[list]
  return {
    ...(params.school.length > 0 && { school: distinct(params.school.filter((id) => id !== '')) }),
    ...(params.status.length > 0 && { status: distinct(params.status) }),
    ...(list === 'declarations-of-interest' &&
      params.year.length > 0 && { year: distinct(params.year.filter(isYear)) }),
    ...(list === 'asked-questions' && params.mode.length > 0 && { mode: distinct(params.mode) }),
    ...(params.from !== null && { from: params.from }),
    ...(params.to !== null && { to: params.to }),
    ...(search !== '' && { q: search }),
    sort: sorts.includes(params.sort) ? params.sort : '-createdAt',
  }
}

function distinct<T extends string | number>(values: readonly T[]): T[] {
  return [...new Set(values)].toSorted()
}

function isYear(year: number): boolean {
  return year >= -9999 && year <= 99_999
}

function isRealDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

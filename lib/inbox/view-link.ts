import type { LeadListQuery } from '@/lib/api/leads'
import { queryString } from '@/lib/api/send'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter, Sort, ViewQuery } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { usual, WORK_FLAGS } from './filter-params'

/** The address has no search text (`search-text.ts`). */
export function viewHref(list: LeadList, query: ViewQuery): string {
  const { q, id: _ids, fresh, sort, ...filter } = query
  return (
    LISTS[list].href +
    queryString({
      ...filter,
      ...NO_FLAGS,
      ...flagParams(query),
      fresh: fresh === true ? 1 : undefined,
      sort: sort === orderByItself(q) ? undefined : sort,
    })
  )
}

const NO_FLAGS = Object.fromEntries(WORK_FLAGS.map((name) => [name, undefined]))

export function flagParams(query: LeadFilter): Partial<Record<(typeof WORK_FLAGS)[number], '1' | '0' | 'all'>> {
  const byItself: LeadFilter = usual(query)
  const said = (is: boolean | undefined) => (is === undefined ? 'all' : is ? '1' : '0')
  const other = WORK_FLAGS.filter((name) => query[name] !== byItself[name])
  return Object.fromEntries(other.map((name) => [name, said(query[name])]))
}

/** The order when none is chosen; a search has its best matches first. */
function orderByItself(q = ''): Sort | undefined {
  return q.trim() === '' ? '-createdAt' : undefined
}

export function isSameQuery(a: ViewQuery, b: ViewQuery): boolean {
  return spelling(a) === spelling(b)
}

/** Leaves out the order if it is the usual one. */
export function viewQueryOf({ sort, ...filter }: LeadListQuery): ViewQuery {
  return sort === orderByItself(filter.q) ? filter : { ...filter, sort }
}

function spelling({ q = '', sort = orderByItself(q), fresh = false, ...filter }: ViewQuery): string {
  const parts = Object.entries({ ...filter, sort, q: q.trim(), fresh })
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
  return JSON.stringify(parts.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

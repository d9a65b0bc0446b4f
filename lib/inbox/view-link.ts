import type { LeadListQuery } from '@/lib/api/leads'
import { queryString } from '@/lib/api/send'
import type { LeadList } from '@/lib/contract/lead'
import type { Sort, ViewQuery } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { flagParams, WORK_FLAGS } from './filter-params'

/** Without its search text (`search-text.ts`). */
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

/** The order when none is chosen; a search has its best matches first. */
function orderByItself(q = ''): Sort | undefined {
  return q.trim() === '' ? '-createdAt' : undefined
}

export function isSameQuery(a: ViewQuery, b: ViewQuery): boolean {
  return spelling(a) === spelling(b)
}

/** All but the order that the list has by itself. */
export function viewQueryOf({ sort, ...filter }: LeadListQuery): ViewQuery {
  return sort === orderByItself(filter.q) ? filter : { ...filter, sort }
}

function spelling({ q = '', sort = orderByItself(q), fresh = false, ...filter }: ViewQuery): string {
  const parts = Object.entries({ ...filter, sort, q: q.trim(), fresh })
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
  return JSON.stringify(parts.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

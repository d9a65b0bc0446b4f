import type { LeadListQuery } from '@/lib/api/leads'
import { queryString } from '@/lib/api/send'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import type { ViewQuery } from '@/lib/contract/saved-view'

/** The address of a list with a view's filters. Its search text is not in it (`search-text.ts`). */
export function viewHref(list: LeadList, { q: _search, id: _ids, fresh, sort, ...filter }: ViewQuery): string {
  return (
    LISTS[list].href +
    queryString({
      ...filter,
      fresh: fresh === true ? 1 : undefined,
      sort: sort === '-createdAt' ? undefined : sort,
    })
  )
}

/** Whether two queries ask for the same leads in the same order, however they are spelt. */
export function isSameQuery(a: ViewQuery, b: ViewQuery): boolean {
  return spelling(a) === spelling(b)
}

/** What is saved of what a list is asked for: all of it, but for the order that every list has by itself. */
export function viewQueryOf({ sort, ...filter }: LeadListQuery): ViewQuery {
  return sort === '-createdAt' ? filter : { ...filter, sort }
}

function spelling({ sort = '-createdAt', q = '', fresh = false, ...filter }: ViewQuery): string {
  const parts = Object.entries({ ...filter, sort, q: q.trim(), fresh })
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
  return JSON.stringify(parts.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

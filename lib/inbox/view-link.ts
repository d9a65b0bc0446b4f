import { toQueryString } from '@/lib/api/send'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import type { ViewQuery } from '@/lib/contract/saved-views'
import { findDefaultFilter, findDefaultSort, WORK_FLAGS, type WorkFlag } from './filter-params'

/** Leaves out the search text, because addresses hold no personal data. */
export function toViewHref(list: LeadList, query: ViewQuery): string {
  const { q, id: _ids, fresh, sort, ...filter } = query
  const params = {
    ...filter,
    ...toFlagParams(query),
    fresh: fresh ? 1 : undefined,
    sort: sort === findDefaultSort(q) ? undefined : sort,
  }
  return LISTS[list].href + toQueryString(params)
}

/** Only flags that differ from what the list shows by default are defined. */
export function toFlagParams(query: LeadFilter): Partial<Record<WorkFlag, string | undefined>> {
  const defaults = findDefaultFilter(query)
  const writeFlag = (name: WorkFlag) => {
    const value = query[name]
    if (value === defaults[name]) return undefined
    return value === undefined ? 'all' : String(Number(value))
  }
  return Object.fromEntries(WORK_FLAGS.map((name) => [name, writeFlag(name)]))
}

/** Two queries are the same whatever the order of their values, and whatever spaces surround the search text. */
export function isSameQuery(a: ViewQuery, b: ViewQuery): boolean {
  return toComparableText(a) === toComparableText(b)
}

function toComparableText({ q = '', sort = findDefaultSort(q), fresh = false, ...filter }: ViewQuery): string {
  const params = toQueryString({ ...filter, sort, q: q.trim(), fresh })
    .slice(1)
    .split('&')
  return params.toSorted().join('&')
}

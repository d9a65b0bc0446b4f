import type { LeadListQuery } from '@/lib/api/leads'
import { toQueryString } from '@/lib/api/send'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter, Sort, ViewQuery } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { defaultFilter, WORK_FLAGS } from './filter-params'

/** Leaves out the search text, because addresses hold no personal data (`search-text.ts`). */
export function viewHref(list: LeadList, query: ViewQuery): string {
  const { q, id: _ids, fresh, sort, ...filter } = query
  return (
    LISTS[list].href +
    toQueryString({
      ...filter,
      ...NO_FLAGS,
      ...toFlagParams(query),
      fresh: fresh === true ? 1 : undefined,
      sort: sort === findDefaultSort(q) ? undefined : sort,
    })
  )
}

const NO_FLAGS = Object.fromEntries(WORK_FLAGS.map((name) => [name, undefined]))

export function toFlagParams(query: LeadFilter): Partial<Record<(typeof WORK_FLAGS)[number], '1' | '0' | 'all'>> {
  const defaults: LeadFilter = defaultFilter(query)
  const toFlag = (value: boolean | undefined) => (value === undefined ? 'all' : value ? '1' : '0')
  const changed = WORK_FLAGS.filter((name) => query[name] !== defaults[name])
  return Object.fromEntries(changed.map((name) => [name, toFlag(query[name])]))
}

/** Returns the order when none is chosen; a search has its best matches first. */
function findDefaultSort(q = ''): Sort | undefined {
  return q.trim() === '' ? '-createdAt' : undefined
}

export function isSameQuery(a: ViewQuery, b: ViewQuery): boolean {
  return toCanonicalText(a) === toCanonicalText(b)
}

/** Leaves out the order if it is the default. */
export function toViewQuery({ sort, ...filter }: LeadListQuery): ViewQuery {
  return sort === findDefaultSort(filter.q) ? filter : { ...filter, sort }
}

function toCanonicalText({ q = '', sort = findDefaultSort(q), fresh = false, ...filter }: ViewQuery): string {
  const parts = Object.entries({ ...filter, sort, q: q.trim(), fresh })
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
  return JSON.stringify(parts.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

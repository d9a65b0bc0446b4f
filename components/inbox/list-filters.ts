import { usePathname } from 'next/navigation'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useUrlState } from '@/components/app/url-state'
import { createWindowSubscription } from '@/components/ui/external-store'
import type { LeadListQuery, ListOrQueue } from '@/lib/api/leads'
import { SESSION_LOST } from '@/lib/api/send'
import {
  type FilterChange,
  isNarrowed,
  parseFilterParams,
  toListQuery,
  toParamValues,
  toSearchText,
} from '@/lib/inbox/filter-params'
import { forgetSearchTexts, readSearchText, SEARCH_CHANGED, writeSearchText } from '@/lib/inbox/search-text'
import { startTimeout } from '@/lib/start-timeout'

export type ListFilters = ReturnType<typeof useListFilters>['filters']

const onSearchChange = createWindowSubscription(SEARCH_CHANGED)
const onSessionLost = createWindowSubscription(SESSION_LOST)
/** While the user types, the query follows the text at most once in this time. */
const SEARCH_THROTTLE_MS = 80
const NO_FILTER = parseFilterParams(new URLSearchParams())

export function useListFilters(listOrQueue: ListOrQueue) {
  const { searchParams, write } = useUrlState()
  const params = useMemo(() => parseFilterParams(searchParams), [searchParams])
  const path = usePathname()
  const search = useSyncExternalStore(
    onSearchChange,
    () => readSearchText(path),
    () => '',
  )
  useEffect(() => onSessionLost(forgetSearchTexts), [])
  const [appliedSearch, setAppliedSearch] = useState({ text: search, appliedAt: 0 })
  useEffect(() => {
    if (search === appliedSearch.text) return
    const waitMs = Math.max(0, appliedSearch.appliedAt + SEARCH_THROTTLE_MS - performance.now())
    return startTimeout(waitMs, () => setAppliedSearch({ text: search, appliedAt: performance.now() }))
  }, [search, appliedSearch])
  const queryJson = JSON.stringify(toListQuery(listOrQueue, params, appliedSearch.text))
  // The query keeps its identity while its content is the same, so that the list renders only once for it.
  const query = useMemo<LeadListQuery>(() => JSON.parse(queryJson), [queryJson])
  const filters = useMemo(
    () => ({
      params,
      query,
      search,
      isFiltered: isNarrowed(query),
      isSearchApplied: toSearchText(search) === (query.q ?? ''),
    }),
    [params, query, search],
  )
  const actions = useMemo(() => {
    const setFilters = (change: FilterChange) => {
      const urlChange: Record<string, string[]> = {}
      for (const [name, value] of Object.entries(change)) urlChange[name] = toParamValues(value)
      write(urlChange, 'push')
    }
    return {
      setFilters,
      setSearch: (text: string) => writeSearchText(path, text),
      clearFilters: () => {
        writeSearchText(path, '')
        // Schools stay, because they are chosen for every screen, and so does the order, because it hides no lead.
        const { school: _school, sort: _sort, ...cleared } = NO_FILTER
        setFilters(cleared)
      },
    }
  }, [path, write])
  return { filters, actions }
}

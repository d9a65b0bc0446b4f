import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type UrlChange, useUrlState } from '@/components/app/url-state'
import { after } from '@/lib/after'
import { isQueue, type LeadListQuery, type Place } from '@/lib/api/leads'
import { SESSION_LOST } from '@/lib/api/send'
import {
  type FilterChange,
  isNarrowed,
  readFilterParams,
  searchOf,
  toListQuery,
  writtenParam,
} from '@/lib/inbox/filter-params'
import {
  createSearchText,
  forgetKeyless,
  LIST_RESTARTED,
  type NavigationLike,
  type SearchText,
} from '@/lib/inbox/search-text'

/** What a queue asks for, whose code no list loads. */
export type QueryOf = (search: URLSearchParams, text: string) => LeadListQuery

export type ListFilters = ReturnType<typeof useListFilters>['filters']

export function useListFilters(place: Place, queryOfQueue: QueryOf | undefined) {
  const { search: address, write: writeUrl } = useUrlState()
  const params = useMemo(() => readFilterParams(address), [address])
  const { text, delayed, write: setSearch } = useSearchText(place)
  const key = JSON.stringify(isQueue(place) ? queryOfQueue?.(address, delayed) : toListQuery(place, params, delayed))
  // One object per meaning: the URL's parser makes new arrays at every turn.
  const query = useMemo<LeadListQuery>(() => JSON.parse(key), [key])
  const filters = useMemo(
    () => ({
      params,
      query,
      search: text,
      isFiltered: isNarrowed(query),
      /** Whether `query` asks for the text in the field; after a key it does a moment later. */
      isCurrent: searchOf(text) === (query.q ?? ''),
    }),
    [params, query, text],
  )
  const acts = useMemo(
    () => ({
      setSearch,
      setFilters: (change: FilterChange) => writeUrl(urlChange(change), 'push'),
      clearFilters: () => {
        setSearch('')
        // Not the schools: they are chosen for every screen.
        const { school: _everywhere, sort: _order, ...narrowing } = NO_FILTER
        writeUrl({ ...urlChange(narrowing), kind: [] }, 'push')
      },
    }),
    [setSearch, writeUrl],
  )
  return { filters, acts }
}

const NO_FILTER = readFilterParams(new URLSearchParams())

function urlChange(change: FilterChange): UrlChange {
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [name, writtenParam(value)]))
}

function useSearchText(list: string): { text: string; delayed: string; write: (text: string) => void } {
  const stored = useMemo(() => (typeof window === 'undefined' ? NOTHING : tabSearchText(list)), [list])
  const text = useSyncExternalStore(stored.subscribe, stored.read, NOTHING.read)
  useEffect(() => {
    window.addEventListener(SESSION_LOST, stored.wipe)
    const restart = (event: Event) => stored.reset(event instanceof CustomEvent ? String(event.detail ?? '') : '')
    window.addEventListener(LIST_RESTARTED, restart)
    return () => {
      window.removeEventListener(SESSION_LOST, stored.wipe)
      window.removeEventListener(LIST_RESTARTED, restart)
    }
  }, [stored])
  return { text, delayed: useDelayed(text), write: stored.write }
}

/** Not by a reload, nor by going back or forward: those find the text again. */
let isFreshPage = performance
  .getEntriesByType('navigation')
  .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'navigate')

function tabSearchText(list: string): SearchText {
  if (isFreshPage) forgetKeyless(window.sessionStorage)
  isFreshPage = false
  return createSearchText(list, window.sessionStorage, navigationOf(window))
}

function navigationOf(page: { navigation?: NavigationLike | undefined }): NavigationLike | undefined {
  return page.navigation
}

/** On the server there is no search: no URL ever holds one. */
const NOTHING: SearchText = {
  read: () => '',
  write: () => {},
  subscribe: () => () => {},
  reset: () => {},
  wipe: () => {},
}

const PAUSE_MS = 80

/** The first letter goes out at once; while the person goes on typing, only pauses send the text. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState({ text, at: 0 })
  useEffect(() => {
    if (text === delayed.text) return
    const wait = Math.max(0, delayed.at + PAUSE_MS - performance.now())
    return after(wait, () => setDelayed({ text, at: performance.now() }))
  }, [text, delayed])
  return delayed.text
}

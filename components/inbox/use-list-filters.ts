'use client'

import { useMemo } from 'react'
import { useUrlState } from '@/components/shell/url-state'
import type { LeadListQuery } from '@/lib/api/lead-page'
import type { LeadList } from '@/lib/contract/lead'
import { readFilterParams, toListQuery, writtenParam, type FilterParams } from '@/lib/inbox/filter-params'
import type { UrlChange } from '@/lib/inbox/url-writes'
import { useSearchText } from './use-search-text'

export type FilterChange = Partial<{ [Name in keyof FilterParams]: FilterParams[Name] | null }>

export type ListFilters = {
  params: FilterParams
  /** What the list is asked for; the same object as long as it asks the same. */
  query: LeadListQuery
  search: string
  setSearch: (text: string) => void
  set: (change: FilterChange) => void
  clear: () => void
  /** Whether anything narrows the list. */
  isFiltered: boolean
}

const NAMES = ['school', 'status', 'year', 'mode', 'assignee', 'fresh', 'from', 'to', 'sort'] as const

const NO_FILTER = {
  school: null,
  status: null,
  year: null,
  mode: null,
  assignee: null,
  fresh: null,
  from: null,
  to: null,
}

/** The list's filters: in the URL, but for the search text. */
export function useListFilters(list: LeadList): ListFilters {
  const { search: address, write: writeUrl } = useUrlState()
  const params = useMemo(() => readFilterParams(address), [address])
  const { text, settled, write } = useSearchText(list)
  const key = JSON.stringify(toListQuery(list, params, settled))
  // One object per meaning: the URL's parser makes new arrays at every turn.
  const query = useMemo<LeadListQuery>(() => JSON.parse(key), [key])
  return {
    params,
    query,
    search: text,
    setSearch: write,
    set: (change) => writeUrl(urlChange(change), 'push'),
    clear: () => {
      write('')
      writeUrl(urlChange(NO_FILTER), 'push')
    },
    isFiltered: Object.keys(query).length > 1,
  }
}

function urlChange(change: FilterChange): UrlChange {
  return Object.fromEntries(
    NAMES.flatMap((name) => (name in change ? [[name, writtenParam(name, change[name] ?? null)]] : [])),
  )
}

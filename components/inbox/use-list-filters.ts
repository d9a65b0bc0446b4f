'use client'

import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import type { LeadListQuery } from '@/lib/api/lead-page'
import type { LeadList } from '@/lib/contract/lead'
import { filterParams, toListQuery, type FilterParams } from '@/lib/inbox/filter-params'
import { useSearchText } from './use-search-text'

export type ListFilters = {
  params: FilterParams
  /** What the list is asked for; the same object as long as it asks the same. */
  query: LeadListQuery
  search: string
  setSearch: (text: string) => void
  set: (change: Partial<{ [Name in keyof FilterParams]: FilterParams[Name] | null }>) => void
  clear: () => void
  /** Whether anything narrows the list. */
  isFiltered: boolean
}

const NO_FILTER = { school: null, status: null, year: null, mode: null, from: null, to: null }

/** The list's filters: in the URL, but for the search text. */
export function useListFilters(list: LeadList): ListFilters {
  const [params, setParams] = useQueryStates(filterParams, { history: 'push' })
  const { text, settled, write } = useSearchText(list)
  const key = JSON.stringify(toListQuery(list, params, settled))
  // One object per meaning: the URL's parser makes new arrays at every turn.
  const query = useMemo<LeadListQuery>(() => JSON.parse(key), [key])
  return {
    params,
    query,
    search: text,
    setSearch: write,
    set: (change) => void setParams(change),
    clear: () => {
      write('')
      void setParams(NO_FILTER)
    },
    isFiltered: Object.keys(query).length > 1,
  }
}

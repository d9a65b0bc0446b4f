import { queryOptions } from '@tanstack/react-query'
import type { HighSchoolsAnswer, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import type { SavedViewsAnswer } from '@/lib/contract/saved-view'
import type { PeopleAnswer } from '@/lib/contract/user'
import { request } from './send'
import { shape, SNAPSHOT } from './shape'

const COUNT_WAIT_MS = 250
const NAMES_STALE_MS = 5 * 60_000

export const countsKey = (list: LeadList) => ['counts', list] as const

/** How many leads each choice of each filter would show. Asked once the filter rests: not at every letter. */
export function listCounts(list: LeadList, filter: LeadFilter) {
  return queryOptions({
    queryKey: [...countsKey(list), filter],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, COUNT_WAIT_MS))
      signal.throwIfAborted()
      const body = { matching: { list, ...filter } }
      const read = shape<ListCounts>({ total: 'number', status: {} })
      return request('/api/list-counts', { method: 'POST', body, read, signal })
    },
    staleTime: 10_000,
  })
}

/** The schools within the person's reach, in Swedish alphabetical order. */
export function highSchools() {
  const read = shape<HighSchoolsAnswer>({ highSchools: 'array', snapshot: SNAPSHOT })
  return queryOptions({
    queryKey: ['high-schools'],
    queryFn: ({ signal }) => request('/api/high-schools', { read, signal }),
    staleTime: NAMES_STALE_MS,
  })
}

/** Who leads can be assigned to. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => request('/api/people', { read: shape<PeopleAnswer>({ people: 'array' }), signal }),
  staleTime: NAMES_STALE_MS,
})

/** The person's own views and the shared ones, with how many leads each has now. */
export const savedViewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => request('/api/views', { read: shape<SavedViewsAnswer>({ views: 'array' }), signal }),
  staleTime: 10_000,
})

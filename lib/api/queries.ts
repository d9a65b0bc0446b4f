import { queryOptions } from '@tanstack/react-query'
import type { Contact, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { api, apiQuery, keyOf } from './call'
import { type Asked, asked, sleep } from './send'

const NAMES_STALE_MS = 5 * 60_000
const COLLEAGUES_STALE_MS = 60_000

export const highSchools = { ...apiQuery('GET /api/high-schools'), staleTime: NAMES_STALE_MS }

export const peopleQuery = { ...apiQuery('GET /api/people'), staleTime: NAMES_STALE_MS }

/** Who can be assigned leads of this school, or named in a note on one; undefined: of any school in scope. */
export const peopleOfSchool = (school: string | undefined) => ({
  ...apiQuery('GET /api/people', { query: { school } }),
  staleTime: COLLEAGUES_STALE_MS,
})

export const usersQuery = { ...apiQuery('GET /api/users'), refetchOnWindowFocus: true }

export const savedViewsQuery = { ...apiQuery('GET /api/views'), staleTime: 10_000 }

export const templatesQuery = { ...apiQuery('GET /api/templates'), staleTime: 60_000 }

export const contactQuery = (id: string) => ({
  queryKey: keyOf('GET /api/contacts/[id]', { params: { id } }),
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Contact & Asked> =>
    asked(() => api('GET /api/contacts/[id]', { params: { id }, signal })),
  staleTime: 10_000,
  refetchInterval: 20_000,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
})

export const POLL_MS = 30_000

const COUNT_WAIT_MS = 250

export const countsKey = (list: LeadList) => ['counts', list] as const

/** Asked once the filter rests, not at every letter. */
export function listCounts(list: LeadList, filter: LeadFilter) {
  return queryOptions({
    queryKey: [...countsKey(list), filter],
    queryFn: async ({ signal }) => {
      await sleep(signal, COUNT_WAIT_MS)
      return asked(() => requestCounts(list, filter, signal))
    },
    staleTime: 10_000,
  })
}

export function requestCounts(list: LeadList, filter: LeadFilter, signal: AbortSignal): Promise<ListCounts> {
  return api('POST /api/list-counts', { body: { matching: { list, ...filter } }, signal })
}

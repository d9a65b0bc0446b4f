import { queryOptions } from '@tanstack/react-query'
import type { Contact, LeadList } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { api, apiQuery, apiQueryKey } from './call'
import { pollUnlessLive } from './polling'
import { sleep, type WithRequestTime, withRequestTime } from './send'

const NAMES_STALE_MS = 5 * 60_000
const TYPING_PAUSE_MS = 250

export const highSchoolsQuery = { ...apiQuery('GET /api/high-schools'), staleTime: NAMES_STALE_MS }

export const peopleQuery = { ...apiQuery('GET /api/people'), staleTime: NAMES_STALE_MS }

/** Requests the users who can be assigned leads of this school; without a school, of any school in scope. */
export const schoolPeopleQuery = (school: string | undefined) => ({
  ...apiQuery('GET /api/people', { query: { school } }),
  staleTime: 60_000,
})

export const usersQuery = apiQuery('GET /api/users')

export const savedViewsQuery = { ...apiQuery('GET /api/views'), staleTime: 10_000 }

export const templatesQuery = { ...apiQuery('GET /api/templates'), staleTime: 60_000 }

export const contactQuery = (id: string) => ({
  queryKey: apiQueryKey('GET /api/contacts/[id]', { params: { id } }),
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Contact & WithRequestTime> =>
    withRequestTime(() => api('GET /api/contacts/[id]', { params: { id }, signal })),
  staleTime: 10_000,
  refetchInterval: 20_000,
})

const DAY_POLL_MS = 30_000

export function dayQuery(schools: readonly string[], isLive: boolean) {
  const query = { school: schools.toSorted() }
  return {
    queryKey: apiQueryKey('GET /api/day', { query }),
    queryFn: ({ signal }: { signal: AbortSignal }) => withRequestTime(() => api('GET /api/day', { query, signal })),
    staleTime: 2_000,
    refetchInterval: pollUnlessLive(isLive, DAY_POLL_MS),
  }
}

/** Waits before it requests, so that typing a filter does not send a request for each letter. */
export function listCountsQuery(list: LeadList, filter: LeadFilter) {
  return queryOptions({
    queryKey: ['counts', list, filter],
    queryFn: async ({ signal }) => {
      await sleep(signal, TYPING_PAUSE_MS)
      return withRequestTime(() => api('POST /api/list-counts', { body: { matching: { list, ...filter } }, signal }))
    },
    staleTime: 10_000,
  })
}

import { queryOptions } from '@tanstack/react-query'
import type { HighSchoolsAnswer, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import type { CountsEvent } from '@/lib/contract/live-event'
import type { SavedViewsAnswer } from '@/lib/contract/saved-view'
import type { PeopleAnswer } from '@/lib/contract/user'
import { toldMeanwhile } from './refresh'
import { request, waited } from './send'
import { shape, SNAPSHOT } from './shape'

const COUNT_WAIT_MS = 250
const NAMES_STALE_MS = 5 * 60_000

export const countsKey = (list: LeadList) => ['counts', list] as const

/** How many leads each choice of each filter would show. Asked once the filter rests: not at every letter. */
export function listCounts(list: LeadList, filter: LeadFilter) {
  return queryOptions({
    queryKey: [...countsKey(list), filter],
    queryFn: async ({ signal }) => {
      await waited(signal, COUNT_WAIT_MS)
      return requestCounts(list, filter, signal)
    },
    staleTime: 10_000,
  })
}

export function requestCounts(list: LeadList, filter: LeadFilter, signal: AbortSignal): Promise<ListCounts> {
  const body = { matching: { list, ...filter } }
  const read = shape<ListCounts>({ total: 'number', status: {}, year: {}, waiting: {}, hidden: {} })
  return request('/api/list-counts', { method: 'POST', body, read, signal })
}

/** How many leads a list has, and for how many of each school somebody has to answer. */
export type SchoolCounts = Pick<CountsEvent, 'total' | 'unhandled'>

export const schoolCountsKey = (list: LeadList) => ['school-counts', list] as const

/** Told by the live stream; asked for only where that has not said anything yet. */
export function schoolCounts(list: LeadList, isLive: boolean) {
  return queryOptions({
    queryKey: schoolCountsKey(list),
    queryFn: async ({ signal, client }): Promise<SchoolCounts> => {
      const told = await toldMeanwhile<SchoolCounts>(client, schoolCountsKey(list), signal)
      if (told !== undefined) return told
      const { total, waiting } = await requestCounts(list, {}, signal)
      return { total, unhandled: waiting }
    },
    staleTime: Infinity,
    refetchInterval: isLive ? false : UNTOLD_MS,
  })
}

const UNTOLD_MS = 30_000

/** What is known, with what was told since. */
export function withCounts(known: SchoolCounts | undefined, { total, unhandled, isWhole }: CountsEvent) {
  if (isWhole) return { total, unhandled }
  return known && { total, unhandled: { ...known.unhandled, ...unhandled } }
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

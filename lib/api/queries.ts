import { queryOptions } from '@tanstack/react-query'
import type { Contact, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import type { CountsEvent } from '@/lib/contract/live-event'
import { api, apiQuery, keyOf } from './call'
import { pollUnlessLive, waitForStream } from './refresh'
import { type Asked, asked, serverTime, sleep } from './send'

const NAMES_STALE_MS = 5 * 60_000
const COLLEAGUES_STALE_MS = 60_000

export const highSchools = { ...apiQuery('GET /api/high-schools'), staleTime: NAMES_STALE_MS }

export const peopleQuery = { ...apiQuery('GET /api/people'), staleTime: NAMES_STALE_MS }

/** Who can be assigned leads of this school, or named in a note on one; undefined: of any school within reach. */
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

const POLL_MS = 30_000

export const dayQuery = (schools: readonly string[], isLive: boolean) => ({
  queryKey: keyOf('GET /api/day', { query: { school: schools.toSorted() } }),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    asked(() => api('GET /api/day', { query: { school: schools.toSorted() }, signal })),
  staleTime: 2_000,
  refetchInterval: pollUnlessLive(isLive, () => POLL_MS),
  refetchOnWindowFocus: true,
})

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

/** `heardAt`: when the stream last sent a school's number, by the server's clock (ms). */
export type SchoolCounts = Pick<CountsEvent, 'total' | 'unhandled'> &
  Asked & { heardAt: Readonly<Record<string, number>> }

export const schoolCountsKey = (list: LeadList) => ['school-counts', list] as const

/** Requested only if the live stream does not send it first. */
export function schoolCounts(list: LeadList, isLive: boolean) {
  return queryOptions({
    queryKey: schoolCountsKey(list),
    queryFn: async ({ signal, client }): Promise<SchoolCounts> => {
      const sent = await waitForStream<SchoolCounts>(client, schoolCountsKey(list), signal)
      if (sent !== undefined) return sent
      const { total, waiting, askedAt } = await asked(() => requestCounts(list, {}, signal))
      return { total, unhandled: waiting, askedAt, heardAt: {} }
    },
    staleTime: Infinity,
    refetchInterval: isLive ? false : POLL_MS,
  })
}

export function withCounts(current: SchoolCounts | undefined, { total, unhandled, isWhole }: CountsEvent) {
  const now = serverTime(Date.now())
  if (isWhole) return { total, unhandled, askedAt: now, heardAt: {} }
  if (current === undefined) return undefined
  const heardAt = { ...current.heardAt, ...Object.fromEntries(Object.keys(unhandled).map((school) => [school, now])) }
  return { ...current, total, unhandled: { ...current.unhandled, ...unhandled }, heardAt }
}

import { queryOptions } from '@tanstack/react-query'
import type { Contact, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { LEAD_LISTS } from '@/lib/contract/lists'
import type { CountsEvent } from '@/lib/contract/live-event'
import { api, apiQuery, keyOf } from './call'
import { hardlyWhileLive, sentMeanwhile } from './refresh'
import { type Asked, asked, serverTime, waited } from './send'

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

const UNTOLD_MS = 30_000

export const dayQuery = (schools: readonly string[], isLive: boolean) => ({
  queryKey: keyOf('GET /api/day', { query: { school: schools.toSorted() } }),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    asked(() => api('GET /api/day', { query: { school: schools.toSorted() }, signal })),
  staleTime: 2_000,
  refetchInterval: hardlyWhileLive(isLive, () => UNTOLD_MS),
  refetchOnWindowFocus: true,
})

const COUNT_WAIT_MS = 250

export const countsKey = (list: LeadList) => ['counts', list] as const

/** Asked once the filter rests, not at every letter. */
export function listCounts(list: LeadList, filter: LeadFilter) {
  return queryOptions({
    queryKey: [...countsKey(list), filter],
    queryFn: async ({ signal }) => {
      await waited(signal, COUNT_WAIT_MS)
      return asked(() => requestCounts(list, filter, signal))
    },
    staleTime: 10_000,
  })
}

function requestCounts(list: LeadList, filter: LeadFilter, signal: AbortSignal): Promise<ListCounts> {
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
      const sent = await sentMeanwhile<SchoolCounts>(client, schoolCountsKey(list), signal)
      if (sent !== undefined) return sent
      const { total, waiting, askedAt } = await asked(() => requestCounts(list, {}, signal))
      return { total, unhandled: waiting, askedAt, heardAt: {} }
    },
    staleTime: Infinity,
    refetchInterval: isLive ? false : UNTOLD_MS,
  })
}

export function withCounts(known: SchoolCounts | undefined, { total, unhandled, isWhole }: CountsEvent) {
  const now = serverTime(Date.now())
  if (isWhole) return { total, unhandled, askedAt: now, heardAt: {} }
  if (known === undefined) return undefined
  const heardAt = { ...known.heardAt, ...Object.fromEntries(Object.keys(unhandled).map((school) => [school, now])) }
  return { ...known, total, unhandled: { ...known.unhandled, ...unhandled }, heardAt }
}

type WorkPreview = Record<LeadList, { work: number; earlier: number }>

const PREVIEW_STALE_MS = 30_000

/** What would be work if it began on this day. `openYear`: the first cohort still open. */
export function workPreview(from: string | null, openYear: number) {
  return queryOptions({
    queryKey: ['work-preview', from, openYear],
    queryFn: async ({ signal }): Promise<WorkPreview> => {
      const lists = await Promise.all(LEAD_LISTS.map((list) => previewOf(list, from, openYear, signal)))
      const [questions, declarations] = lists
      const none = { work: 0, earlier: 0 }
      return { 'asked-questions': questions ?? none, 'declarations-of-interest': declarations ?? none }
    },
    staleTime: PREVIEW_STALE_MS,
  })
}

async function previewOf(list: LeadList, from: string | null, openYear: number, signal: AbortSignal) {
  const since: LeadFilter = from === null ? {} : { from }
  const open: LeadFilter = { status: ['new', 'in-progress'], answered: false, snoozed: false }
  const [all, later, asking] = await Promise.all(
    [{}, since, { ...since, ...open }].map((filter) => requestCounts(list, filter, signal)),
  )
  const kept = later === undefined ? 0 : ofOpenYears(later, openYear)
  return { work: asking === undefined ? 0 : ofOpenYears(asking, openYear), earlier: (all?.total ?? 0) - kept }
}

function ofOpenYears({ total, year }: Pick<ListCounts, 'total' | 'year'>, openYear: number): number {
  return Object.entries(year).reduce((rest, [one, count]) => (Number(one) < openYear ? rest - count : rest), total)
}

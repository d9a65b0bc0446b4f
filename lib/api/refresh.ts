import type { QueryClient } from '@tanstack/react-query'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { ChangedEvent } from '@/lib/contract/live-event'
import { keyOf } from './call'
import { ApiError, serverTime, waited } from './send'

type Cached = { queryKey: readonly unknown[]; state: { data: unknown; error?: unknown } }

/**
 * Whether a query shows another version of the list than `change` tells of. Pages beyond the first follow the first one
 * by themselves, so that all rows on screen change their places together.
 */
export function isOutdated({ queryKey, state: { data } }: Cached, { list, version }: ChangedEvent): boolean {
  const { snapshot } = (data ?? {}) as { snapshot?: SnapshotInfo }
  return isAbout(queryKey, list) && snapshot?.version !== version
}

/** Whether a query is worth asking when nobody told what changed: all that has an age, and the numbers of the menu. */
export function isHead({ queryKey }: Pick<Cached, 'queryKey'>): boolean {
  const [what] = queryKey
  return what === STATUS_KEY[0] || isOfMenu(queryKey) || (what === 'leads' && !isBeyondFirst(queryKey))
}

function isAbout(queryKey: readonly unknown[], list: ChangedEvent['list']): boolean {
  if (queryKey[0] === 'leads') return queryKey[1] === list && !isBeyondFirst(queryKey)
  return list === 'high-schools' && queryKey[0] === SCHOOLS_KEY[0]
}

function isOfMenu([what]: readonly unknown[]): boolean {
  return what === 'school-counts'
}

function isBeyondFirst(queryKey: readonly unknown[]): boolean {
  return queryKey[2] === 'page' && queryKey.at(-1) !== 0
}

type Asking = { queryKey?: readonly unknown[]; predicate: (query: Cached) => boolean }

/**
 * Asks again what `asking` picks, never calling off what was asked before: an answer that is on its way may be of before,
 * so what is still picked after it is asked once more. What has failed is asked again in its own time.
 */
export async function askAgain(client: QueryClient, asking: Asking): Promise<void> {
  const underWay = client.isFetching(asking) > 0
  await client.invalidateQueries(asking, { cancelRefetch: false })
  const isAnswered = (query: Cached) => asking.predicate(query) && (query.state.error ?? null) === null
  if (underWay) await client.invalidateQueries({ ...asking, predicate: isAnswered }, { cancelRefetch: false })
}

/** Asks again what shows another version of a list than this one. */
export function refreshList(client: QueryClient, change: ChangedEvent): Promise<void> {
  return askAgain(client, { predicate: (query) => isOutdated(query, change) })
}

/** Asks again all that has an age. */
export function refreshHeads(client: QueryClient): Promise<void> {
  return askAgain(client, { predicate: isHead })
}

export const TRIAGE_MUTATION = ['triage'] as const
export const STATUS_KEY = keyOf('GET /api/status')
const SCHOOLS_KEY = keyOf('GET /api/high-schools')
/** Of one's own or shared views, and of the day, whichever schools it is of. */
const NUMBERS: ReadonlySet<unknown> = new Set(['counts', ...keyOf('GET /api/views'), ...keyOf('GET /api/day')])
/** Where status and assignee are shown, and what was done with a lead. */
const DECIDED: ReadonlySet<unknown> = new Set([
  ...keyOf('GET /api/contacts/[id]'),
  ...keyOf('GET /api/lead-history'),
  ...keyOf('GET /api/day'),
])

/**
 * Asks again what a list shows of status and assignee; the numbers of the menu too unless the stream, which `isTold` of it,
 * has told them. Not while a change of one's own is on its way: the answer would show
 * what was before for a moment, and the change asks for it anyway when it is through.
 */
export async function refreshTriaged(client: QueryClient, list: LeadList, isTold = false): Promise<void> {
  if (client.isMutating({ mutationKey: TRIAGE_MUTATION }) > 0) return
  // Pages beyond the first follow the first one by themselves.
  const isShown = ({ queryKey }: Cached) =>
    DECIDED.has(queryKey[0]) || (queryKey[1] === list && isHead({ queryKey }) && !(isTold && isOfMenu(queryKey)))
  await askAgain(client, { predicate: isShown })
}

/** Asks again for the notes on a lead, and for what was done with it. */
export async function refreshNotes(client: QueryClient, { kind, id }: LeadRef): Promise<void> {
  const query = { kind, id }
  await Promise.all([
    client.invalidateQueries({ queryKey: keyOf('GET /api/notes', { query }) }),
    client.invalidateQueries({ queryKey: keyOf('GET /api/lead-history', { query }) }),
  ])
}

export const presenceKey = ({ kind, id }: LeadRef) => ['presence', kind, id] as const

/** Asks again for the numbers beside filters and views; those of the menu are told. */
export async function refreshCounts(client: QueryClient): Promise<void> {
  if (client.isMutating({ mutationKey: TRIAGE_MUTATION }) > 0) return
  await askAgain(client, { predicate: ({ queryKey }) => NUMBERS.has(queryKey[0]) })
}

/** Asks again for the numbers above a list, which stand beside those of the menu and are read with them. */
export async function refreshCountsOf(client: QueryClient, list: LeadList): Promise<void> {
  if (client.isMutating({ mutationKey: TRIAGE_MUTATION }) > 0) return
  await askAgain(client, { predicate: ({ queryKey }) => queryKey[0] === 'counts' && queryKey[1] === list })
}

const TOLD_WITHIN_MS = 1_500

/** What the live stream tells of a key within a moment from now; undefined when it tells nothing of it. */
export async function toldMeanwhile<T>(
  client: QueryClient,
  key: readonly unknown[],
  signal: AbortSignal,
): Promise<T | undefined> {
  const askedAt = Date.now()
  await waited(signal, TOLD_WITHIN_MS)
  const { data, dataUpdatedAt = 0 } = client.getQueryState<T>(key) ?? {}
  return dataUpdatedAt >= askedAt ? data : undefined
}

const LEAST_MS = 2_000
const JITTER_MS = 1_500
const WITHOUT_PLAN_MS = 15_000
/** While the live stream tells of changes: in case it ever forgets one, and for what the colleagues decide. */
const SAFETY_MS = 120_000

const TAB_CHANCE = Math.random()

type Observed = { state: { data: { snapshot: SnapshotInfo } | undefined; error: unknown; dataUpdatedAt: number } }

/**
 * When a query of leads asks again by itself: hardly, while the live stream says when it pays; else when the server's next
 * snapshot is due. `refetchIntervalInBackground` stays false, so that a hidden tab asks for nothing.
 */
export function refreshOptions(isLive: boolean) {
  return {
    refetchInterval: hardlyWhileLive(isLive, untilNext),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  } as const
}

/**
 * An interval for TanStack Query: long while the live stream tells, unless the last asking failed, else what `wait` says. The
 * chance is this tab's, which spreads the browsers out.
 */
export function hardlyWhileLive<State>(
  isLive: boolean,
  wait: (state: State, chance: number) => number,
  chance = TAB_CHANCE,
) {
  return ({ state }: { state: State & { error: unknown } }) =>
    isLive && state.error === null ? SAFETY_MS : wait(state, chance)
}

/**
 * Milliseconds from the last answer until it pays to ask again; `chance` in [0, 1) spreads the browsers out. The same for
 * the same answer, because another number at every rendering would start the waiting over.
 */
export function untilNext(state: Observed['state'], chance: number): number {
  const jitter = chance * JITTER_MS
  if (state.error instanceof ApiError) {
    if (state.error.kind === 'unauthenticated' || state.error.kind === 'unauthorized') return WITHOUT_PLAN_MS * 4
    return Math.min(SAFETY_MS, Math.max(LEAST_MS, state.error.retryAfterMs ?? 5_000)) + jitter
  }
  const nextAt = Date.parse(state.data?.snapshot.nextAt ?? '')
  if (Number.isNaN(nextAt)) return WITHOUT_PLAN_MS + jitter
  return Math.max(LEAST_MS, nextAt - serverTime(state.dataUpdatedAt)) + jitter
}

import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { ChangedEvent } from '@/lib/contract/live-event'
import { keyOf } from './call'
import { ApiError, serverTime, sleep } from './send'
import { isQueue, type Place } from './leads'
import { DECIDING } from './triage'

type Cached = { queryKey: readonly unknown[]; state: { data: unknown; error?: unknown } }

/** Whether a query shows another version of the list than `change` tells; a queue, whose version is of both lists, always may. Pages beyond the first follow it by themselves. */
export function isOutdated({ queryKey, state: { data } }: Cached, { list, version }: ChangedEvent): boolean {
  const { snapshot } = (data ?? {}) as { snapshot?: SnapshotInfo }
  const [what, place] = queryKey
  if (what !== 'leads') return list === 'high-schools' && what === SCHOOLS_KEY[0] && snapshot?.version !== version
  if (list === 'high-schools' || isBeyondFirst(queryKey)) return false
  return isQueue(place as Place) || (place === list && snapshot?.version !== version)
}

/** Whether a query is worth asking when no event says what changed: all that has an age, and how many leads there are. */
export function isPolled({ queryKey }: Pick<Cached, 'queryKey'>): boolean {
  const [what] = queryKey
  return what === STATUS_KEY[0] || what === LIST_TOTAL || (what === 'leads' && !isBeyondFirst(queryKey))
}

function isBeyondFirst(queryKey: readonly unknown[]): boolean {
  return queryKey[2] === 'page' && queryKey.at(-1) !== 0
}

type QueryMatch = { queryKey?: readonly unknown[]; predicate: (query: Cached) => boolean }

/** Cancels none. What `match` still picks after a request under way is asked once more: its answer may be older. */
export async function askAgain(client: QueryClient, match: QueryMatch): Promise<void> {
  const underWay = client.isFetching(match) > 0
  await client.invalidateQueries(match, { cancelRefetch: false })
  const isAnswered = (query: Cached) => match.predicate(query) && (query.state.error ?? null) === null
  if (underWay) await client.invalidateQueries({ ...match, predicate: isAnswered }, { cancelRefetch: false })
}

export function refreshList(client: QueryClient, change: ChangedEvent): Promise<void> {
  return askAgain(client, { predicate: (query) => isOutdated(query, change) })
}

export function refreshPolled(client: QueryClient): Promise<void> {
  return askAgain(client, { predicate: isPolled })
}

export const STATUS_KEY = keyOf('GET /api/status')
const SCHOOLS_KEY = keyOf('GET /api/high-schools')
export const LIST_TOTAL = 'list-total'
const COUNT_KEYS: ReadonlySet<unknown> = new Set(['counts', ...keyOf('GET /api/views'), ...keyOf('GET /api/day')])
const DECISION_KEYS: ReadonlySet<unknown> = new Set([
  ...keyOf('GET /api/load'),
  ...keyOf('GET /api/contacts/[id]'),
  ...keyOf('GET /api/lead-history'),
  ...keyOf('GET /api/day'),
])

/** The user's own decisions are under way: an answer would be of a moment between them, and the last one asks itself. */
function isDeciding(client: QueryClient): boolean {
  return client.isMutating({ mutationKey: DECIDING }) > 0
}

/** What a list and its queues show of triage, and the numbers of the menu. */
export async function refreshTriaged(client: QueryClient, list: LeadList): Promise<void> {
  if (isDeciding(client)) return
  const predicate = ({ queryKey }: Cached) => {
    const [what, place] = queryKey
    const isOfList = what === 'leads' && (place === list || isQueue(place as Place))
    return (isOfList && isPolled({ queryKey })) || DECISION_KEYS.has(what)
  }
  await askAgain(client, { predicate })
}

/** The numbers beside filters and views, or only those above one list; the stream tells those of the menu. */
export async function refreshCounts(client: QueryClient, list?: LeadList): Promise<void> {
  if (isDeciding(client)) return
  const predicate = ({ queryKey: [what, of] }: Cached) =>
    list === undefined ? COUNT_KEYS.has(what) : what === 'counts' && of === list
  await askAgain(client, { predicate })
}

export async function refreshNotes(client: QueryClient, { kind, id }: LeadRef): Promise<void> {
  const input = { query: { kind, id } }
  await Promise.all([
    client.invalidateQueries({ queryKey: keyOf('GET /api/notes', input) }),
    client.invalidateQueries({ queryKey: keyOf('GET /api/lead-history', input) }),
  ])
}

export const presenceKey = ({ kind, id }: LeadRef) => ['presence', kind, id] as const

const SENT_WITHIN_MS = 1_500

/** What the live stream sends for a key within a moment from now, if anything. */
export async function waitForStream<T>(
  client: QueryClient,
  key: readonly unknown[],
  signal: AbortSignal,
): Promise<T | undefined> {
  const askedAt = Date.now()
  await sleep(signal, SENT_WITHIN_MS)
  const { data, dataUpdatedAt = 0 } = client.getQueryState<T>(key) ?? {}
  return dataUpdatedAt >= askedAt ? data : undefined
}

/** What the server has read already, by its key in the browser; `at` in ms, by the server's clock. */
export type FirstAnswer<Data = unknown> = { key: readonly unknown[]; data: Data; at: number }

const newestByClient = new WeakMap<QueryClient, Map<string, number>>()
/** Shown, but asked again at once. */
const STALE = 1

/** Gives the browser an answer once: Next keeps what a screen came with, and hands it in again on the way back. */
export function giveFirst(client: QueryClient, { key, data, at }: FirstAnswer): void {
  const newest = newestByClient.get(client) ?? new Map<string, number>()
  newestByClient.set(client, newest)
  const name = hashKey(key)
  const before = newest.get(name) ?? 0
  newest.set(name, Math.max(at, before))
  const cached = client.getQueryState(key)
  if (cached?.data === undefined) client.setQueryData(key, data, { updatedAt: at > before ? Date.now() : STALE })
  else if (at > before && serverTime(cached.dataUpdatedAt) < at) client.setQueryData(key, data)
}

const MIN_INTERVAL_MS = 2_000
const JITTER_MS = 1_500
const DEFAULT_WAIT_MS = 15_000
/** In case the stream misses a change. */
const LIVE_INTERVAL_MS = 120_000

const TAB_CHANCE = Math.random()

type Observed = { state: { data: { snapshot: SnapshotInfo } | undefined; error: unknown; dataUpdatedAt: number } }

/** Not in a hidden tab. */
export function refreshOptions(isLive: boolean) {
  return {
    refetchInterval: pollUnlessLive(isLive, msUntilNext),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  } as const
}

/** An interval for TanStack Query: long with a live stream, unless the last request failed, else `wait`. `chance` spreads tabs. */
export function pollUnlessLive<State>(
  isLive: boolean,
  wait: (state: State, chance: number) => number,
  chance = TAB_CHANCE,
) {
  return ({ state }: { state: State & { error: unknown } }) =>
    isLive && state.error === null ? LIVE_INTERVAL_MS : wait(state, chance)
}

/** Milliseconds from the last answer to the next snapshot; equal for the same answer, which restarts no wait. */
export function msUntilNext(state: Observed['state'], chance: number): number {
  const jitter = chance * JITTER_MS
  if (state.error instanceof ApiError) {
    if (state.error.kind === 'unauthenticated' || state.error.kind === 'unauthorized') return DEFAULT_WAIT_MS * 4
    return Math.min(LIVE_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, state.error.retryAfterMs ?? 5_000)) + jitter
  }
  const nextAt = Date.parse(state.data?.snapshot.nextAt ?? '')
  if (Number.isNaN(nextAt)) return DEFAULT_WAIT_MS + jitter
  return Math.max(MIN_INTERVAL_MS, nextAt - serverTime(state.dataUpdatedAt)) + jitter
}

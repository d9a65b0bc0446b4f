import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { ChangedEvent } from '@/lib/contract/live-event'
import { keyOf } from './call'
import { ApiError, serverTime, waited } from './send'
import { DECIDING } from './triage'

type Cached = { queryKey: readonly unknown[]; state: { data: unknown; error?: unknown } }

/** Whether a query shows another version of the list than `change` tells. Pages beyond the first follow it by themselves. */
export function isOutdated({ queryKey, state: { data } }: Cached, { list, version }: ChangedEvent): boolean {
  const { snapshot } = (data ?? {}) as { snapshot?: SnapshotInfo }
  const isAbout =
    queryKey[0] === 'leads'
      ? queryKey[1] === list && !isBeyondFirst(queryKey)
      : list === 'high-schools' && queryKey[0] === SCHOOLS_KEY[0]
  return isAbout && snapshot?.version !== version
}

/** Whether a query is worth asking when no event says what changed: all that has an age, and the numbers of the menu. */
export function isHead({ queryKey }: Pick<Cached, 'queryKey'>): boolean {
  const [what] = queryKey
  return what === STATUS_KEY[0] || what === MENU_NUMBERS || (what === 'leads' && !isBeyondFirst(queryKey))
}

function isBeyondFirst(queryKey: readonly unknown[]): boolean {
  return queryKey[2] === 'page' && queryKey.at(-1) !== 0
}

type Asking = { queryKey?: readonly unknown[]; predicate: (query: Cached) => boolean }

/**
 * Asks again what `asking` picks, and once more what is still picked if a request was under way: its answer may be
 * older. It never cancels one, and what failed is retried in its own time.
 */
export async function askAgain(client: QueryClient, asking: Asking): Promise<void> {
  const underWay = client.isFetching(asking) > 0
  await client.invalidateQueries(asking, { cancelRefetch: false })
  const isAnswered = (query: Cached) => asking.predicate(query) && (query.state.error ?? null) === null
  if (underWay) await client.invalidateQueries({ ...asking, predicate: isAnswered }, { cancelRefetch: false })
}

export function refreshList(client: QueryClient, change: ChangedEvent): Promise<void> {
  return askAgain(client, { predicate: (query) => isOutdated(query, change) })
}

export function refreshHeads(client: QueryClient): Promise<void> {
  return askAgain(client, { predicate: isHead })
}

export const STATUS_KEY = keyOf('GET /api/status')
const SCHOOLS_KEY = keyOf('GET /api/high-schools')
const MENU_NUMBERS = 'school-counts'
const NUMBERS: ReadonlySet<unknown> = new Set(['counts', ...keyOf('GET /api/views'), ...keyOf('GET /api/day')])
const DECIDED: ReadonlySet<unknown> = new Set([
  ...keyOf('GET /api/contacts/[id]'),
  ...keyOf('GET /api/lead-history'),
  ...keyOf('GET /api/day'),
])

/** The user's own decisions are under way: an answer would be of a moment between them, and the last one asks itself. */
function isDeciding(client: QueryClient): boolean {
  return client.isMutating({ mutationKey: DECIDING }) > 0
}

/** What a list shows of triage, and the numbers of the menu unless the stream has sent them (`isSent`). */
export async function refreshTriaged(client: QueryClient, list: LeadList, isSent = false): Promise<void> {
  if (isDeciding(client)) return
  const predicate = ({ queryKey }: Cached) => {
    const isOfList = queryKey[1] === list && isHead({ queryKey }) && !(isSent && queryKey[0] === MENU_NUMBERS)
    return isOfList || DECIDED.has(queryKey[0])
  }
  await askAgain(client, { predicate })
}

/** The numbers beside filters and views, or only those above one list; the stream tells those of the menu. */
export async function refreshCounts(client: QueryClient, list?: LeadList): Promise<void> {
  if (isDeciding(client)) return
  const predicate = ({ queryKey: [what, of] }: Cached) =>
    list === undefined ? NUMBERS.has(what) : what === 'counts' && of === list
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
export async function sentMeanwhile<T>(
  client: QueryClient,
  key: readonly unknown[],
  signal: AbortSignal,
): Promise<T | undefined> {
  const askedAt = Date.now()
  await waited(signal, SENT_WITHIN_MS)
  const { data, dataUpdatedAt = 0 } = client.getQueryState<T>(key) ?? {}
  return dataUpdatedAt >= askedAt ? data : undefined
}

/** What the server has read already, by its key in the browser; `at` in ms, by the server's clock. */
export type FirstAnswer<Data = unknown> = { key: readonly unknown[]; data: Data; at: number }

/** When the newest answer was read that a client was given, by key. */
const givenTo = new WeakMap<QueryClient, Map<string, number>>()
/** Shown, but asked again at once. */
const LONG_AGO = 1

/** Gives the browser an answer once: Next keeps what a screen came with, and hands it in again on the way back. */
export function giveFirst(client: QueryClient, { key, data, at }: FirstAnswer): void {
  const given = givenTo.get(client) ?? new Map<string, number>()
  givenTo.set(client, given)
  const name = hashKey(key)
  const before = given.get(name) ?? 0
  given.set(name, Math.max(at, before))
  const known = client.getQueryState(key)
  if (known?.data === undefined) client.setQueryData(key, data, { updatedAt: at > before ? Date.now() : LONG_AGO })
  else if (at > before && serverTime(known.dataUpdatedAt) < at) client.setQueryData(key, data)
}

const LEAST_MS = 2_000
const JITTER_MS = 1_500
const WITHOUT_PLAN_MS = 15_000
/** With a live stream: in case it misses a change. */
const SAFETY_MS = 120_000

const TAB_CHANCE = Math.random()

type Observed = { state: { data: { snapshot: SnapshotInfo } | undefined; error: unknown; dataUpdatedAt: number } }

/** When a query of leads asks again by itself; not in a hidden tab. */
export function refreshOptions(isLive: boolean) {
  return {
    refetchInterval: hardlyWhileLive(isLive, untilNext),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
  } as const
}

/** An interval for TanStack Query: long with a live stream, unless the last request failed, else `wait`. `chance` spreads tabs. */
export function hardlyWhileLive<State>(
  isLive: boolean,
  wait: (state: State, chance: number) => number,
  chance = TAB_CHANCE,
) {
  return ({ state }: { state: State & { error: unknown } }) =>
    isLive && state.error === null ? SAFETY_MS : wait(state, chance)
}

/** Milliseconds from the last answer to the next snapshot; equal for the same answer, which restarts no wait. */
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

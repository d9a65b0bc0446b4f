import type { MutationFunction, MutationOptions, QueryClient } from '@tanstack/react-query'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { LEAD_LISTS } from '@/lib/contract/lists'
import type { ChangedEvent } from '@/lib/contract/live-event'
import { keyOf } from './call'
import { isQueue, type Place } from './leads'
import { askAgain, type Cached, STATUS_KEY } from './polling'
import { IN_ORDER } from './triage'

/** Whether a query shows another version of the list than `change` tells; a queue, whose version is of both lists, always may. Pages beyond the first follow it by themselves. */
export function isOutdated({ queryKey, state: { data } }: Cached, { list, version }: ChangedEvent): boolean {
  const { snapshot } = (data ?? {}) as { snapshot?: SnapshotInfo }
  const [what, place] = queryKey
  if (what !== 'leads') return list === 'high-schools' && what === SCHOOLS_KEY[0] && snapshot?.version !== version
  if (list === 'high-schools' || isBeyondFirst(queryKey)) return false
  return isQueue(place as Place) || (place === list && snapshot?.version !== version)
}

/** Whether a query is worth asking when no event says what changed: all that has an age. */
export function isPolled({ queryKey }: Pick<Cached, 'queryKey'>): boolean {
  const [what] = queryKey
  return what === STATUS_KEY[0] || (what === 'leads' && !isBeyondFirst(queryKey))
}

function isBeyondFirst(queryKey: readonly unknown[]): boolean {
  return queryKey[2] === 'page' && queryKey.at(-1) !== 0
}

export const refreshList = (client: QueryClient, change: ChangedEvent): Promise<void> =>
  askAgain(client, { predicate: (query) => isOutdated(query, change) })

export const refreshPolled = (client: QueryClient): Promise<void> => askAgain(client, { predicate: isPolled })

const SCHOOLS_KEY = keyOf('GET /api/high-schools')
const COUNT_KEYS: ReadonlySet<unknown> = new Set(['counts', ...keyOf('GET /api/views'), ...keyOf('GET /api/day')])
const DECISION_KEYS: ReadonlySet<unknown> = new Set([
  ...keyOf('GET /api/contacts/[id]'),
  ...keyOf('GET /api/lead-history'),
  ...keyOf('GET /api/day'),
])

/** How many changes of the user are under way. Meanwhile an answer would be of a moment between them, and the last one asks itself. */
export function countChanging(client: QueryClient): number {
  return client.isMutating({ predicate: ({ options }) => options.scope?.id === IN_ORDER.scope.id })
}

/** Sends a mutation after those that the user made before it. */
export function inOrder<Answer>(
  client: QueryClient,
  mutation: MutationOptions<Answer, Error, void> & { mutationFn: MutationFunction<Answer, void> },
): Promise<Answer> {
  const options = { ...IN_ORDER, ...mutation, onSettled: () => refreshWhenLast(client) }
  return client.getMutationCache().build(client, client.defaultMutationOptions(options)).execute(undefined)
}

/** For `onSettled` of a change: asks again for what the lists show once the last one is through. */
export function refreshWhenLast(client: QueryClient): void {
  // This one still counts.
  if (countChanging(client) > 1) return
  setTimeout(() => {
    for (const list of LEAD_LISTS) void refreshTriaged(client, list)
    void refreshCounts(client)
  })
}

/** What a list and its queues show of triage, and the numbers of the menu. */
export async function refreshTriaged(client: QueryClient, list: LeadList): Promise<void> {
  if (countChanging(client) > 0) return
  await askAgain(client, {
    predicate: ({ queryKey }) => {
      const [what, place] = queryKey
      const isOfList = what === 'leads' && (place === list || isQueue(place as Place))
      return (isOfList && isPolled({ queryKey })) || DECISION_KEYS.has(what)
    },
  })
}

/** The numbers beside filters and views, or only those above one list; the stream tells those of the menu. */
export async function refreshCounts(client: QueryClient, list?: LeadList): Promise<void> {
  if (countChanging(client) > 0) return
  await askAgain(client, {
    predicate: ({ queryKey: [what, of] }) =>
      list === undefined ? COUNT_KEYS.has(what) : what === 'counts' && of === list,
  })
}

export async function refreshNotes(client: QueryClient, { kind, id }: LeadRef): Promise<void> {
  const input = { query: { kind, id } }
  await Promise.all([
    client.invalidateQueries({ queryKey: keyOf('GET /api/notes', input) }),
    client.invalidateQueries({ queryKey: keyOf('GET /api/lead-history', input) }),
  ])
}

export const presenceKey = ({ kind, id }: LeadRef) => ['presence', kind, id] as const

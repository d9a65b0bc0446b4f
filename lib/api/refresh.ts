import type { MutationFunction, MutationOptions, QueryClient } from '@tanstack/react-query'
import type { EndpointName } from '@/lib/contract/endpoints'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { LEAD_LISTS } from '@/lib/contract/lists'
import type { ChangedEvent } from '@/lib/contract/live-event'
import { apiQueryKey } from './call'
import { isQueue, type ListOrQueue } from './leads'
import { SERIAL_MUTATION } from './mutation-options'
import { type CachedQuery, refetchMatching, STATUS_KEY } from './polling'

const SCHOOLS_ENDPOINT: EndpointName = 'GET /api/high-schools'
const DAY_ENDPOINT: EndpointName = 'GET /api/day'

/** The queries whose keys begin with these show decisions, as lists and queues do. */
const DECISION_ROOTS = new Set<unknown>([
  'GET /api/contacts/[id]',
  'GET /api/lead-history',
  DAY_ENDPOINT,
] satisfies EndpointName[])
const COUNT_ROOTS = new Set<unknown>(['counts', 'GET /api/views', DAY_ENDPOINT])

/** Tells whether a change outdates a query. A queue holds both lists; later pages are requested after the first. */
export function isOutdated({ queryKey, state: { data } }: CachedQuery, { list, version }: ChangedEvent): boolean {
  const { snapshot } = (data ?? {}) as { snapshot?: SnapshotInfo }
  const [root, listOrQueue] = queryKey
  if (root !== 'leads') return list === 'high-schools' && root === SCHOOLS_ENDPOINT && snapshot?.version !== version
  if (list === 'high-schools' || isLaterPage(queryKey)) return false
  return isQueue(listOrQueue as ListOrQueue) || (listOrQueue === list && snapshot?.version !== version)
}

/** Polling requests the status, first pages and single leads again, as no event says what has changed. */
export function isPolled({ queryKey }: Pick<CachedQuery, 'queryKey'>): boolean {
  const [root] = queryKey
  return root === STATUS_KEY[0] || (root === 'leads' && !isLaterPage(queryKey))
}

function isLaterPage(queryKey: readonly unknown[]): boolean {
  return queryKey[2] === 'page' && queryKey.at(-1) !== 0
}

export const refreshList = (client: QueryClient, change: ChangedEvent): Promise<void> =>
  refetchMatching(client, { predicate: (query) => isOutdated(query, change) })

export const refreshPolled = (client: QueryClient): Promise<void> => refetchMatching(client, { predicate: isPolled })

/** While changes are pending nothing is refetched, because the answer would be outdated at once. */
function countPendingChanges(client: QueryClient): number {
  return client.isMutating({ predicate: ({ options }) => options.scope?.id === SERIAL_MUTATION.scope.id })
}

export function mutateInOrder<Answer>(
  client: QueryClient,
  mutation: MutationOptions<Answer, Error, void> & { mutationFn: MutationFunction<Answer, void> },
): Promise<Answer> {
  const options = { ...SERIAL_MUTATION, ...mutation, onSettled: () => refreshWhenLast(client) }
  return client.getMutationCache().build(client, client.defaultMutationOptions(options)).execute(undefined)
}

/** Every change calls this in `onSettled`, when it still counts as pending; the refresh comes just after that. */
export function refreshWhenLast(client: QueryClient): void {
  if (countPendingChanges(client) <= 1) setTimeout(() => refreshAfterDecision(client))
}

export function refreshAfterDecision(client: QueryClient): void {
  for (const list of LEAD_LISTS) void refreshTriaged(client, list)
  void refreshCounts(client)
}

/** Refetches whatever shows decisions about a list's leads: its first page, queues, contacts and histories. */
export async function refreshTriaged(client: QueryClient, list: LeadList): Promise<void> {
  if (countPendingChanges(client) > 0) return
  await refetchMatching(client, {
    predicate: ({ queryKey }) => {
      const [root, listOrQueue] = queryKey
      if (root !== 'leads') return DECISION_ROOTS.has(root)
      return !isLaterPage(queryKey) && (listOrQueue === list || isQueue(listOrQueue as ListOrQueue))
    },
  })
}

/** Refetches the counts beside filters and views, or only those of one list's filters. */
export async function refreshCounts(client: QueryClient, list?: LeadList): Promise<void> {
  if (countPendingChanges(client) > 0) return
  await refetchMatching(client, {
    predicate: ({ queryKey: [root, countedList] }) =>
      list === undefined ? COUNT_ROOTS.has(root) : root === 'counts' && countedList === list,
  })
}

export async function refreshNotes(client: QueryClient, { kind, id }: LeadRef): Promise<void> {
  const input = { query: { kind, id } }
  await Promise.all([
    client.invalidateQueries({ queryKey: apiQueryKey('GET /api/notes', input) }),
    client.invalidateQueries({ queryKey: apiQueryKey('GET /api/lead-history', input) }),
  ])
}

export const presenceKey = ({ kind, id }: LeadRef) => ['presence', kind, id] as const

import { type QueryClient, useMutationState, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { contactQuery, dayQuery } from '@/lib/api/queries'
import type { WithRequestTime } from '@/lib/api/send'
import type { Contact } from '@/lib/contract/lead'
import {
  type ChangeState,
  collectOwnChanges,
  NO_CHANGES,
  OWN_CHANGE,
  type OwnChanges,
  patchContact,
} from '@/lib/inbox/own-changes'
import { useCurrentUser } from './current-user'
import { useIsLive } from './live'

/** Returns the user's pending and recent changes, which are applied to every answer about leads before it is shown. */
export function useOwnChanges(): OwnChanges {
  const states = useMutationState({
    filters: { mutationKey: OWN_CHANGE },
    select: ({ state: { status, variables, data } }) => ({ status, variables, data }) as ChangeState,
  })
  return useMemo(() => collectOwnChanges(states), [states])
}

export function readOwnChanges(client: QueryClient): OwnChanges {
  const changes = client.getMutationCache().findAll({ mutationKey: OWN_CHANGE })
  return collectOwnChanges(changes.map(({ state }) => state as ChangeState))
}

export function useContact(id: string, options: { initialData?: Contact & WithRequestTime; enabled?: boolean } = {}) {
  const ownChanges = useOwnChanges()
  const { data, error, refetch } = useQuery({ ...contactQuery(id), ...options })
  const contact = useMemo(() => data && patchContact(ownChanges, data), [ownChanges, data])
  return { data: contact, error, refetch }
}

export function useDayNumbers(schoolIds: readonly string[]) {
  const ownChanges = useOwnChanges()
  const userId = useCurrentUser()?.id ?? null
  const { data, error, refetch } = useQuery(dayQuery(schoolIds, useIsLive()))
  // This code is loaded with the first change, because most visits change nothing.
  const { data: ownNumbers } = useQuery({
    queryKey: ['code', 'own-numbers'],
    queryFn: () => import('@/lib/inbox/own-numbers'),
    enabled: ownChanges !== NO_CHANGES,
    staleTime: Infinity,
    structuralSharing: false,
  })
  const day = useMemo(
    () => (data && ownNumbers ? ownNumbers.patchDay(ownChanges, data, { schools: schoolIds, userId }) : data),
    [ownChanges, ownNumbers, data, schoolIds, userId],
  )
  return { data: day, error, refetch }
}

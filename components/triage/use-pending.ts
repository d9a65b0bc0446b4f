import { useQuery } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { contactQuery, listCounts } from '@/lib/api/queries'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import type { Pending } from '@/lib/inbox/pending'
import { useTabChanges } from './use-triage'

/** What every answer about leads is laid under before it is shown (`lib/inbox/pending-changes.ts`). */
export function usePending(): { pending: Pending; readPending: () => Pending } {
  const { subscribe, read, first } = useTabChanges().shown
  return { pending: useSyncExternalStore(subscribe, read, () => first), readPending: read }
}

type ContactOptions = { initialData?: Parameters<Pending['contact']>[0] }

export function useContact(id: string, options: ContactOptions = {}) {
  const { pending } = usePending()
  const { data, error, isLoading, refetch } = useQuery({ ...contactQuery(id), ...options })
  const contact = useMemo(() => data && pending.contact(data), [pending, data])
  return { data: contact, error, isLoading, refetch }
}

export function useListCounts(list: LeadList, filter: LeadFilter, isEnabled = true): ListCounts | undefined {
  const { pending } = usePending()
  const { data } = useQuery({ ...listCounts(list, filter), enabled: isEnabled })
  const key = JSON.stringify(filter)
  return useMemo(
    () => data && pending.counts(data, { kind: LISTS[list].kind, filter: JSON.parse(key) as LeadFilter }),
    [pending, data, list, key],
  )
}

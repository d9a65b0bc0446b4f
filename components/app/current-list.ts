import { useEffect } from 'react'
import { createExternalStore, useExternalStore } from '@/components/ui/external-store'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'

const currentList = createExternalStore<{ list: LeadList; query: LeadListQuery } | null>(null)

export const useCurrentList = () => useExternalStore(currentList, (current) => current)

/** Publishes the list while it is on screen; a queue is none. `query` must be the same object as long as it means the same. */
export function usePublishList(list: LeadList | null, query: LeadListQuery): void {
  useEffect(() => {
    currentList.set(list && { list, query })
    return () => currentList.set(null)
  }, [list, query])
}

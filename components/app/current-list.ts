import { useEffect } from 'react'
import { createExternalStore, useExternalStore } from '@/components/ui/external-store'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'

const currentList = createExternalStore<{ list: LeadList; query: LeadListQuery } | null>(null)

export const useCurrentList = () => useExternalStore(currentList)

/** Tells the menu which list is on screen (null for a queue). `query` must keep its identity while it is unchanged. */
export function usePublishList(list: LeadList | null, query: LeadListQuery): void {
  useEffect(() => {
    currentList.set(list && { list, query })
    return () => currentList.set(null)
  }, [list, query])
}

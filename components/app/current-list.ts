import { useEffect } from 'react'
import { createShownState, useShown } from '@/components/ui/shown-state'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'

const currentList = createShownState<{ list: LeadList; query: LeadListQuery } | null>(null)

export const useCurrentList = () => useShown(currentList, (current) => current)

/** Publishes the list while it is on screen; a queue is none. `query` must be the same object as long as it means the same. */
export function usePublishList(list: LeadList | null, query: LeadListQuery): void {
  useEffect(() => {
    currentList.show(list && { list, query })
    return () => currentList.show(null)
  }, [list, query])
}

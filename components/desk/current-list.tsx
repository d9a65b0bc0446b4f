import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'

type CurrentList = { list: LeadList; query: LeadListQuery }

const Current = createContext<CurrentList | null>(null)
const Publish = createContext<(list: CurrentList | null) => void>(() => {})

export function CurrentListProvider({ children }: { children: ReactNode }) {
  const [current, publish] = useState<CurrentList | null>(null)
  return (
    <Publish value={publish}>
      <Current value={current}>{children}</Current>
    </Publish>
  )
}

export function useCurrentList(): CurrentList | null {
  return useContext(Current)
}

/** Publishes the list while it is on screen; a queue is none. `query` must be the same object as long as it means the same. */
export function usePublishList(list: LeadList | null, query: LeadListQuery): void {
  const publish = useContext(Publish)
  useEffect(() => {
    publish(list && { list, query })
    return () => publish(null)
  }, [publish, list, query])
}

'use client'

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { LeadListQuery } from '@/lib/api/lead-page'
import type { LeadList } from '@/lib/contract/lead'

export type ShownList = { list: LeadList; query: LeadListQuery }

const Shown = createContext<ShownList | null>(null)
const Show = createContext<(shown: ShownList | null) => void>(() => {})

/** Lets the menu know what the list on screen is asked for, its search included. */
export function ShownListProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownList | null>(null)
  return (
    <Show value={setShown}>
      <Shown value={shown}>{children}</Shown>
    </Show>
  )
}

export function useShownList(): ShownList | null {
  return useContext(Shown)
}

/** Says what the list on screen is asked for, while it is on screen. `query` must stay the same as long as it asks the same. */
export function useShowList(list: LeadList, query: LeadListQuery): void {
  const show = useContext(Show)
  useEffect(() => {
    show({ list, query })
    return () => show(null)
  }, [show, list, query])
}

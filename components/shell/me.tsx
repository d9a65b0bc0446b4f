'use client'

import { createContext, type ReactNode, useContext } from 'react'

export type Me = { id: string; isAdmin: boolean }

const MeContext = createContext<Me | null>(null)

/** Who is signed in; null outside the desk. */
export function useMe(): Me | null {
  return useContext(MeContext)
}

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>
}

'use client'

import { createContext, type ReactNode, useContext, useEffect } from 'react'
import type { Role } from '@/lib/contract/user'

type CurrentUser = { id: string; name: string; isAdmin: boolean }

export type Account = { name: string; email: string; role: Role }

const User = createContext<CurrentUser | null>(null)

export function CurrentUserProvider({ user, children }: { user: CurrentUser; children: ReactNode }) {
  useEffect(() => {
    const unmount = new AbortController()
    void import('./unsaved').then(({ watchUnsaved }) => watchUnsaved(window, user.id, unmount.signal)).catch(() => {})
    return () => unmount.abort()
  }, [user.id])
  return <User value={user}>{children}</User>
}

export function useCurrentUser(): CurrentUser | null {
  return useContext(User)
}

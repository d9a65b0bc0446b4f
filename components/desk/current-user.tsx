'use client'

import { createContext, type ReactNode, useContext, useEffect } from 'react'
import type { Role } from '@/lib/contract/user'

type CurrentUser = { id: string; name: string; isAdmin: boolean }

/** What the menus show of who is signed in. */
export type Account = { name: string; email: string; role: Role }

const User = createContext<CurrentUser | null>(null)

/** Tells every screen behind sign-in who uses it. */
export function CurrentUserProvider({ user, children }: { user: CurrentUser; children: ReactNode }) {
  useEffect(() => {
    const gone = new AbortController()
    void import('@/lib/inbox/signed-out')
      .then(({ guardHalfWritten }) => guardHalfWritten(window, user.id, gone.signal))
      .catch(() => {})
    return () => gone.abort()
  }, [user.id])
  return <User value={user}>{children}</User>
}

/** Who is signed in; null outside the desk. */
export function useCurrentUser(): CurrentUser | null {
  return useContext(User)
}

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
    void guardHalfWritten(user.id, gone.signal).catch(() => {})
    return () => gone.abort()
  }, [user.id])
  return <User value={user}>{children}</User>
}

/**
 * What others left half written in this tab goes: of somebody whose session ended, and of whoever signed out in another tab. None
 * of it is shown meanwhile, for each draft bears the name of whose it is. After a sign-out in another tab nothing stays on screen.
 */
async function guardHalfWritten(owner: string, signal: AbortSignal): Promise<void> {
  const [{ forgetRepliesOfOthers }, { forgetSignedOut, isSignOut }] = await Promise.all([
    import('@/lib/inbox/reply-drafts'),
    import('@/lib/inbox/signed-out'),
  ])
  if (signal.aborted) return
  forgetRepliesOfOthers(sessionStorage, owner)
  forgetSignedOut(sessionStorage, localStorage)
  const leave = () => {
    sessionStorage.clear()
    location.assign('/signin?signedOut')
  }
  window.addEventListener('storage', (event) => isSignOut(event) && leave(), { signal })
}

/** Who is signed in; null outside the desk. */
export function useCurrentUser(): CurrentUser | null {
  return useContext(User)
}

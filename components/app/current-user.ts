import { createContext, useContext } from 'react'
import type { Role } from '@/lib/contract/user'

export type CurrentUser = { id: string; name: string; email: string; role: Role; isAdmin: boolean }

/** The signed-in user; null on pages outside `app/(desk)`, such as the sign-in. */
export const CurrentUserContext = createContext<CurrentUser | null>(null)

export const useCurrentUser = () => useContext(CurrentUserContext)

import { queryOptions } from '@tanstack/react-query'
import type { EndedAnswer, SessionsAnswer } from '@/lib/contract/account'
import { nothing, queryString, request } from './send'
import { shape } from './shape'

const SESSIONS = '/api/account/sessions'
const sessionsPath = (userId: string) => `/api/users/${encodeURIComponent(userId)}/sessions`
const read = shape<SessionsAnswer>({ sessions: 'array' })
const ended = shape<EndedAnswer>({ ended: 'number' })

/** Where one is signed in. */
export const ownSessions = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => request(SESSIONS, { read, signal }),
  refetchOnWindowFocus: true,
})

export function endSession(id: string): Promise<void> {
  return request(`${SESSIONS}/${encodeURIComponent(id)}`, { method: 'DELETE', read: nothing })
}

/** Signs out everywhere, or everywhere else. */
export function endSessions({ keep }: { keep?: 'current' | undefined }): Promise<EndedAnswer> {
  return request(`${SESSIONS}${queryString({ keep })}`, { method: 'DELETE', read: ended })
}

/** Where somebody else is signed in; administrators. */
export const sessionsOf = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId, 'sessions'],
    queryFn: ({ signal }) => request(sessionsPath(userId), { read, signal }),
  })

/** Signs somebody else out everywhere; administrators. */
export function endSessionsOf(userId: string): Promise<EndedAnswer> {
  return request(sessionsPath(userId), { method: 'DELETE', read: ended })
}

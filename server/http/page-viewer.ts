import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { authenticate } from '@/server/access/viewer-cache'
import { isDatabaseUnreachable } from '@/server/base/database-outage'
import type { Services } from '@/server/base/services'
import { UNREACHABLE_PATH } from './unavailable-page'

/** Redirects to the sign-in page without a session, and to `/second-factor` if the user must set one up. */
export async function requirePageSession(services: Services) {
  const current = await findPageSession(services)
  if (!current) redirect('/signin')
  if (current.viewer.mustEnrol) redirect('/second-factor')
  return current
}

/** Returns viewer and session, or null. A request is authenticated once. */
export const findPageSession = cache(async (services: Services) => {
  const requestHeaders = await headers()
  const current = await authenticate(services, { headers: requestHeaders }).catch((error: unknown) => {
    // `proxy.ts` answers this path with a page that says that the database is away.
    if (isDatabaseUnreachable(error)) redirect(UNREACHABLE_PATH)
    throw error
  })
  // A prefetch does not extend the session.
  if (current && !requestHeaders.has('next-router-prefetch')) services.sessions.recordUse(current.session.id)
  return current
})

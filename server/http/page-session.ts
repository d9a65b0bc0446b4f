import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { authenticate } from '@/server/access/viewer-cache'
import { isDatabaseFault } from '@/server/base/database-outage'
import type { Services } from '@/server/base/services'
import { UNREACHABLE_PATH } from './unavailable-page'

export async function requirePageSession(services: Services) {
  const pageSession = await findPageSession(services)
  if (!pageSession) redirect('/signin')
  if (pageSession.viewer.mustEnrol) redirect('/second-factor')
  return pageSession
}

/** Returns viewer and session, or null, and records the session's use. React's `cache` lets all components of a request authenticate it once. */
export const findPageSession = cache(async (services: Services) => {
  const pageSession = await authenticate(services, { headers: await headers() }).catch((error: unknown) => {
    // `proxy.ts` answers this path with a page that says that the database is unavailable.
    if (isDatabaseFault(error)) redirect(UNREACHABLE_PATH)
    throw error
  })
  if (pageSession) services.sessions.recordUse(pageSession.session.id)
  return pageSession
})

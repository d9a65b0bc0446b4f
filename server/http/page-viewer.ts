import 'server-only'
import type { Services } from '@/server/base/services'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { isDatabaseUnreachable } from '@/server/base/database-outage'
import { UNREACHABLE_PATH } from './unavailable-page'
import { authenticate } from '@/server/access/viewer-cache'
import type { Session } from '@/server/access/session-cookie'
import type { Viewer } from '@/server/access/viewer'

export async function requirePageViewer(services: Services): Promise<Viewer> {
  return (await requirePageSession(services)).viewer
}

/** With the session. Users who must set up a second factor are sent there first. */
export async function requirePageSession(services: Services): Promise<{ viewer: Viewer; session: Session }> {
  const current = await findPageSession(services)
  if (!current) redirect('/signin')
  if (current.viewer.mustEnrol) redirect('/second-factor')
  return current
}

export async function findPageViewer(services: Services): Promise<Viewer | null> {
  return (await findPageSession(services))?.viewer ?? null
}

const findPageSession = cache(async (services: Services) => {
  const sent = await headers()
  const current = await authenticate(services, { headers: sent }).catch((error: unknown) => {
    // Without the database the user is unknown: `proxy.ts` answers that path with a page that says so.
    if (isDatabaseUnreachable(error)) redirect(UNREACHABLE_PATH)
    throw error
  })
  // A prefetch keeps nobody signed in.
  if (current && !sent.has('next-router-prefetch')) services.sessions.recordUse(current.session.id)
  return current
})

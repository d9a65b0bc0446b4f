import 'server-only'
import type { Services } from '@/server/base/services'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { isDatabaseUnreachable } from '@/server/base/trouble'
import { UNREACHABLE } from './away-page'
import { readSessionToken, type Session, sessionCookieName } from '@/server/access/session-cookie'
import type { Viewer } from '@/server/access/viewer'

export async function pageViewer(services: Services): Promise<Viewer> {
  return (await pageSession(services)).viewer
}

/** With the session. Users who must set up a second factor are sent there first. */
export async function pageSession(services: Services): Promise<{ viewer: Viewer; session: Session }> {
  const current = await currentSession(services)
  if (!current) redirect('/signin')
  if (current.viewer.mustEnrol) redirect('/second-factor')
  return current
}

export async function enrollingViewer(services: Services): Promise<Viewer> {
  const viewer = await currentViewer(services)
  if (!viewer) redirect('/signin')
  if (!viewer.mustEnrol) redirect('/')
  return viewer
}

export async function currentViewer(services: Services): Promise<Viewer | null> {
  return (await currentSession(services))?.viewer ?? null
}

const currentSession = cache(async ({ env, viewers, sessions }: Services) => {
  const token = (await cookies()).get(sessionCookieName(env))?.value
  const session = token === undefined ? null : await readSessionToken(token, env.auth.secret)
  const viewer =
    session &&
    (await viewers.find(session).catch((error: unknown) => {
      // Without the database the user is unknown: `proxy.ts` answers that path with a page that says so.
      if (isDatabaseUnreachable(error)) redirect(UNREACHABLE)
      throw error
    }))
  if (!session || !viewer) return null
  // A prefetch keeps nobody signed in.
  if (!(await headers()).has('next-router-prefetch')) sessions.use(session.id)
  return { viewer, session }
})

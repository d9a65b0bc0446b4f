import 'server-only'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { Env } from '@/server/env'
import type { Viewers } from './session'
import { readSessionToken, sessionCookieName } from './session-cookie'
import type { Sessions } from './sessions'
import type { Viewer } from './viewer'

type Parts = { env: Pick<Env, 'auth'>; viewers: Viewers; sessions: Pick<Sessions, 'use'> }

/** For pages behind sign-in: sends everyone else to the sign-in page. */
export async function pageViewer(parts: Parts): Promise<Viewer> {
  const viewer = await currentViewer(parts)
  if (!viewer) redirect('/signin')
  return viewer
}

/** Who opens a page, or null. Found once for each request, however many layouts and pages ask. */
export const currentViewer = cache(async ({ env, viewers, sessions }: Parts): Promise<Viewer | null> => {
  const token = (await cookies()).get(sessionCookieName(env))?.value
  const session = token === undefined ? null : await readSessionToken(token, env.auth.secret)
  const viewer = session && (await viewers.find(session))
  const isPrefetch = (await headers()).has('next-router-prefetch')
  if (session && viewer && !isPrefetch) sessions.use(session.id)
  return viewer
})

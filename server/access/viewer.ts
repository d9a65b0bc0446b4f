import 'server-only'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { Viewer } from './make-viewer'
import { readSessionToken, sessionCookieName, type Session } from './session-token'
import { services } from '@/server/services'

export { maySee } from './may-see'
export type { Viewer } from './make-viewer'
export type { Permission } from './permissions'

/** Who is asking, or null. The user's row is read once for each request. */
export const currentViewer = cache(async (): Promise<Viewer | null> => {
  const session = await currentSession()
  return session ? services().viewers.find(session) : null
})

/** For pages behind sign-in: sends everyone else to the sign-in page. */
export async function pageViewer(): Promise<Viewer> {
  const viewer = await currentViewer()
  if (!viewer) redirect('/signin')
  return viewer
}

/** What the session cookie says, before anybody asked whether the person is still let in. */
export async function currentSession(): Promise<Session | null> {
  const { env } = services()
  const token = (await cookies()).get(sessionCookieName(env))?.value
  return token === undefined ? null : readSessionToken(token, env.auth.secret)
}

import 'server-only'
import type { SessionsAnswer } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import { placeOf } from '@/server/db/sealed-columns'
import type { Env } from '@/server/env'
import { NotFoundError } from '@/server/errors'
import type { Seal } from '@/server/seal'
import type { Users } from '@/server/users/users'
import { accessCommand, type AccessCommandParts } from './command'
import type { ProviderCheck } from './provider-check'
import { type Session, sessionOf, setCookie, type AuthEnv } from './session-cookie'
import { endOf, type Sessions } from './sessions'
import type { Allowed, Viewer } from './viewer'

export type EndingParts = AccessCommandParts & { sessions: Pick<Sessions, 'end' | 'endAll'> }
type Listing = { sessions: Pick<Sessions, 'list'> }
type Asking = { session: Session }

export async function listOwnSessions(
  { sessions }: Listing,
  { id, role }: { id: string; role: Role },
  _none: unknown,
  { session: asking }: Asking,
): Promise<SessionsAnswer> {
  const listed = (await sessions.list(id, role)).map((session) => ({
    id: session.id,
    method: session.method,
    device: session.device,
    address: session.address,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    endsAt: new Date(endOf(session, role)).toISOString(),
    current: session.id === asking.id,
  }))
  return { sessions: listed }
}

export async function listSessionsOf(
  parts: Listing & { users: Pick<Users, 'find'> },
  _viewer: Allowed<'admin'>,
  { id }: { id: string },
  asking: Asking,
): Promise<SessionsAnswer> {
  const user = await parts.users.find(id)
  if (!user) throw new NotFoundError()
  return listOwnSessions(parts, user, null, asking)
}

export async function signOut(parts: EndingParts, viewer: Viewer, { id }: Session): Promise<void> {
  await accessCommand(parts, viewer, 'signed-in', viewer.id, async (tx, log) => {
    await parts.sessions.end(tx, viewer.id, id, 'person')
    await log({ action: 'sign-out' })
  })
}

export async function endOwnSession(parts: EndingParts, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await accessCommand(parts, viewer, 'signed-in', viewer.id, async (tx, log) => {
    if (!(await parts.sessions.end(tx, viewer.id, id, 'person'))) throw new NotFoundError()
    await log({ action: 'sessions-ended', details: { user: viewer.id, count: 1 } })
  })
}

export async function endOwnSessions(
  parts: EndingParts,
  viewer: Viewer,
  { keep }: { keep?: 'current' | undefined },
  { session }: Asking,
): Promise<{ ended: number }> {
  return accessCommand(parts, viewer, 'signed-in', viewer.id, async (tx, log) => {
    const ended = await parts.sessions.endAll(tx, viewer.id, 'person', keep && session.id)
    await log({ action: 'sessions-ended', details: { user: viewer.id, count: ended } })
    return { ended }
  })
}

export async function endSessionsOf(
  parts: EndingParts & { users: Pick<Users, 'find'> },
  viewer: Allowed<'admin'>,
  { id: userId }: { id: string },
): Promise<{ ended: number }> {
  return accessCommand(parts, viewer, 'admin', userId, async (tx, log) => {
    if (!(await parts.users.find(userId, tx))) throw new NotFoundError()
    const ended = await parts.sessions.endAll(tx, userId, 'admin')
    await log({ action: 'sessions-ended', details: { user: userId, count: ended } })
    return { ended }
  })
}

type ProviderParts = {
  env: Pick<Env, 'auth' | 'oidc'>
  sessions: Pick<Sessions, 'find'>
  providerCheck: Pick<ProviderCheck, 'known'> | null
  seal: Pick<Seal, 'open'>
}

/** OpenID Connect RP-Initiated Logout 1.0; asked before the session ends, when the id token is deleted. */
export async function providerSignOutUrl(parts: ProviderParts, request: Request): Promise<string | null> {
  const { env, providerCheck, seal } = parts
  const endpoint = providerCheck?.known()?.end_session_endpoint
  const named = await sessionOf(request, env)
  if (endpoint === undefined || !env.oidc || !named) return null
  const session = (await parts.sessions.find(named.id))?.session
  if (session?.method !== 'oidc' || session.userId !== named.userId) return null
  const { id, sealedIdToken } = session
  const hint = sealedIdToken === null ? null : seal.open(sealedIdToken, placeOf.idToken(id))
  const url = new URL(endpoint)
  if (hint !== null) url.searchParams.set('id_token_hint', hint)
  url.searchParams.set('client_id', env.oidc.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${env.auth.url}/signin?signedOut`)
  return url.href
}

export async function withSignedOut(answer: Response, env: ProviderParts['env'], providerUrl: string | null) {
  if (!env.oidc) return answer
  const isJson = providerUrl !== null && answer.headers.get('content-type')?.includes('json') === true
  const body = isJson ? JSON.stringify({ ...(await answer.json()), providerUrl }) : answer.body
  return withMark(new Response(body, answer), env, '1', SIGNED_OUT_SECONDS)
}

/** Marks a browser in which a person has signed out: the next sign-in there is not silent. */
const SIGNED_OUT = 'intag-signed-out'
const SIGNED_OUT_SECONDS = 12 * 3600

export function wasSignedOut({ cookies }: { cookies: { has: (name: string) => boolean } }): boolean {
  return cookies.has(SIGNED_OUT)
}

export function clearsSignedOut(answer: Response, env: AuthEnv): Response {
  return withMark(new Response(answer.body, answer), env, '', 0)
}

function withMark(answer: Response, env: AuthEnv, value: string, seconds: number): Response {
  answer.headers.append('set-cookie', setCookie(env, SIGNED_OUT, value, { seconds, path: '/api/auth' }))
  return answer
}

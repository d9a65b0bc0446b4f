import 'server-only'
import { placeOf } from '@/server/db/sealed-columns'
import type { Env } from '@/server/env'
import type { Seal } from '@/server/seal'
import type { ProviderCheck } from './provider-check'
import { sessionOf, setCookie } from './session-cookie'
import type { Sessions } from './sessions'

type Parts = {
  env: Pick<Env, 'auth' | 'oidc'>
  sessions: Pick<Sessions, 'find'>
  providerCheck: Pick<ProviderCheck, 'known'> | null
  seal: Pick<Seal, 'open'>
}

/**
 * Where the provider signs somebody out, too (OpenID Connect RP-Initiated Logout 1.0); to be asked before the session ends, for
 * then the id token is gone. Null when they came in otherwise, or the provider has no such address or cannot be reached.
 */
export async function providerSignOutUrl(parts: Parts, request: Request): Promise<string | null> {
  const { env, providerCheck, seal } = parts
  const endpoint = providerCheck?.known()?.end_session_endpoint
  const named = await sessionOf(request, env)
  if (endpoint === undefined || !env.oidc || !named) return null
  const found = await parts.sessions.find(named.id)
  if (found?.session.method !== 'oidc' || found.session.userId !== named.userId) return null
  const { id, sealedIdToken } = found.session
  const hint = sealedIdToken === null ? null : seal.open(sealedIdToken, placeOf.idToken(id))
  const url = new URL(endpoint)
  if (hint !== null) url.searchParams.set('id_token_hint', hint)
  url.searchParams.set('client_id', env.oidc.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${env.auth.url}/signin?signedOut`)
  return url.href
}

/** Next-auth's answer, with the provider's address beside its own when that was asked for. */
export async function withSignedOut(
  answer: Response,
  env: Parts['env'],
  providerUrl: string | null,
): Promise<Response> {
  if (!env.oidc) return answer
  const isJson = providerUrl !== null && answer.headers.get('content-type')?.includes('json') === true
  const body = isJson ? JSON.stringify({ ...(await answer.json()), providerUrl }) : answer.body
  const { status, headers } = answer
  const marked = new Response(body, { status, headers })
  marked.headers.append('set-cookie', cookie(env, '1', SIGNED_OUT_SECONDS))
  return marked
}

/** Marks a browser in which somebody has signed out: whoever comes next is asked who they are. */
const SIGNED_OUT = 'intag-signed-out'
/** As long as a session can last at most. */
const SIGNED_OUT_SECONDS = 12 * 3600

export function wasSignedOut({ cookies }: { cookies: { has: (name: string) => boolean } }): boolean {
  return cookies.has(SIGNED_OUT)
}

/** Somebody has proved who they are. */
export function clearsSignedOut(answer: Response, env: Pick<Env, 'auth'>): Response {
  const { status, headers, body } = answer
  const cleared = new Response(body, { status, headers })
  cleared.headers.append('set-cookie', cookie(env, '', 0))
  return cleared
}

function cookie(env: Pick<Env, 'auth'>, value: string, seconds: number): string {
  return setCookie(env, SIGNED_OUT, value, { seconds, path: '/api/auth' })
}

import { DATABASE_AWAY, OTHER_ADDRESS, type PROOF_PROMPT, REASON_HEADER } from '@/lib/contract/headers'
import { ApiError, hasStatus } from './send'

type SignInResult = { ok: true; path: string } | Failure
type Failure =
  | { ok: false; reason: 'wrong' | 'unavailable' | 'expired' | 'factorNeeded' }
  | { ok: false; reason: 'unreachable' | 'databaseAway' | 'otherAddress' }
  | { ok: false; reason: 'tooMany' | 'busy'; retryAfterSeconds: number }

export type Credentials = { email: string; password: string; code?: string }

/** Signs in by next-auth's form, with a CSRF token. */
export async function postPasswordSignIn(credentials: Credentials & { callbackUrl: string }): Promise<SignInResult> {
  const result = await postForm('callback/credentials', credentials)
  if (!result.ok) return result
  const { pathname, search, searchParams } = result.url
  const refusal = searchParams.get('error')
  if (refusal === 'SecondFactorNeeded') return { ok: false, reason: 'factorNeeded' }
  if (refusal !== null) return { ok: false, reason: refusal === 'CredentialsSignin' ? 'wrong' : 'unavailable' }
  if (searchParams.has('csrf')) return { ok: false, reason: 'expired' }
  return { ok: true, path: pathname + search }
}

/** The provider must ask for credentials; with `PROOF_PROMPT` they are a proof of identity. */
type Prompt = 'login' | typeof PROOF_PROMPT

/** Returns the provider's address where single sign-on begins, or null if the server cannot be reached. */
export async function postSingleSignOn(callbackUrl: string, prompt?: Prompt): Promise<string | null> {
  const query = prompt ? `?prompt=${prompt}` : ''
  const result = await postForm(`signin/oidc${query}`, { callbackUrl })
  return result.ok ? result.url.href : null
}

/** Signs out. Returns the next address, which may be the provider's sign-out page, or null if signing out failed. */
export async function postSignOut(): Promise<string | null> {
  const result = await postForm('signout', { callbackUrl: '/signin', provider: 'true' })
  if (!result.ok || result.url.searchParams.has('csrf')) return null
  return /^https?:/.test(result.providerUrl) ? result.providerUrl : '/signin?signedOut'
}

type PostResult = { ok: true; url: URL; providerUrl: string } | Failure

async function postForm(action: string, fields: Record<string, string>): Promise<PostResult> {
  try {
    const csrfResponse = await fetch('/api/auth/csrf', { cache: 'no-store' })
    const { csrfToken } = (await csrfResponse.json()) as { csrfToken: string }
    const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' })
    const response = await fetch(`/api/auth/${action}`, { method: 'POST', body })
    const reason = response.headers.get(REASON_HEADER)
    if (reason === DATABASE_AWAY) return { ok: false, reason: 'databaseAway' }
    if (reason === OTHER_ADDRESS) return { ok: false, reason: 'otherAddress' }
    const retryAfterSeconds = Number(response.headers.get('retry-after'))
    if (response.status === 429) return { ok: false, reason: 'tooMany', retryAfterSeconds }
    if (response.status === 503 && retryAfterSeconds > 0) return { ok: false, reason: 'busy', retryAfterSeconds }
    const { url = '', providerUrl = '' } = (await response.json()) as { url?: string; providerUrl?: string }
    return { ok: true, url: new URL(url), providerUrl }
  } catch {
    return { ok: false, reason: 'unreachable' }
  }
}

/** Returns why a password or code was not accepted, as part of a message key. */
export function classifyCredentialError(error: Error): 'wrong' | 'tooMany' | 'failed' {
  if (hasStatus(error, 429)) return 'tooMany'
  return error instanceof ApiError && error.reason === 'wrong' ? 'wrong' : 'failed'
}

import { DATABASE_AWAY, OTHER_ADDRESS, type PROOF_PROMPT, REASON_HEADER } from '@/lib/contract/headers'

export type SignInResult = { ok: true; path: string } | Failure
type Failure =
  | {
      ok: false
      reason: 'wrong' | 'unavailable' | 'unreachable' | 'expired' | 'factorNeeded' | 'databaseAway' | 'otherAddress'
    }
  | { ok: false; reason: 'tooMany' | 'busy'; retryAfterSeconds: number }

type Fetch = (path: string, init?: RequestInit) => Promise<Response>
export type Credentials = { email: string; password: string; code?: string }

const TRIES_WHILE_BUSY = 3

/** Signs in as next-auth lets scripts: with a CSRF token and a form, which is sent again while the server is busy. */
export async function postPasswordSignIn(
  credentials: Credentials & { callbackUrl: string },
  send: Fetch = fetch,
  wait = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000)),
): Promise<SignInResult> {
  let posted = await postForm('callback/credentials', credentials, send)
  for (let attempt = 1; !posted.ok && posted.reason === 'busy' && attempt < TRIES_WHILE_BUSY; attempt += 1) {
    await wait(posted.retryAfterSeconds)
    posted = await postForm('callback/credentials', credentials, send)
  }
  if (!posted.ok) return posted
  const { pathname, search, searchParams } = posted.url
  const refusal = searchParams.get('error')
  if (refusal === 'SecondFactorNeeded') return { ok: false, reason: 'factorNeeded' }
  if (refusal !== null) return { ok: false, reason: refusal === 'CredentialsSignin' ? 'wrong' : 'unavailable' }
  if (searchParams.has('csrf')) return { ok: false, reason: 'expired' }
  return { ok: true, path: pathname + search }
}

/** Returns the provider's address where single sign-on begins, or null if the server cannot be reached. */
export async function postSingleSignOn(
  callbackUrl: string,
  prompt?: 'login' | typeof PROOF_PROMPT,
  send: Fetch = fetch,
): Promise<string | null> {
  const posted = await postForm(`signin/oidc${prompt ? `?prompt=${prompt}` : ''}`, { callbackUrl }, send)
  return posted.ok ? posted.url.href : null
}

/** Returns where to go next, perhaps to the provider, which ends its own session, or null if signing out failed. */
export async function postSignOut(send: Fetch = fetch): Promise<string | null> {
  const posted = await postForm('signout', { callbackUrl: '/signin', provider: 'true' }, send)
  if (!posted.ok || posted.url.searchParams.has('csrf')) return null
  return /^https?:/.test(posted.providerUrl) ? posted.providerUrl : '/signin?signedOut'
}

async function postForm(
  action: string,
  fields: Record<string, string>,
  send: Fetch,
): Promise<{ ok: true; url: URL; providerUrl: string } | Failure> {
  try {
    const csrf = await send('/api/auth/csrf', { cache: 'no-store' })
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' })
    const response = await send(`/api/auth/${action}`, { method: 'POST', body })
    const reason = response.headers.get(REASON_HEADER)
    if (reason === DATABASE_AWAY) return { ok: false, reason: 'databaseAway' }
    if (reason === OTHER_ADDRESS) return { ok: false, reason: 'otherAddress' }
    const retryAfterSeconds = Number(response.headers.get('retry-after'))
    if (response.status === 429) return { ok: false, reason: 'tooMany', retryAfterSeconds }
    if (response.status === 503 && retryAfterSeconds > 0) return { ok: false, reason: 'busy', retryAfterSeconds }
    const { url, providerUrl = '' } = (await response.json()) as { url?: string; providerUrl?: string }
    if (url === undefined) throw new TypeError('no address in the answer')
    return { ok: true, url: new URL(url, 'http://localhost'), providerUrl }
  } catch {
    return { ok: false, reason: 'unreachable' }
  }
}

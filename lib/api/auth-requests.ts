import { DATABASE_AWAY, OTHER_ADDRESS, PROOF_PAGE, PROOF_PROMPT, REASON_HEADER } from '@/lib/contract/headers'

export type SignInResult = { ok: true; path: string } | Failure
type Failure =
  | { ok: false; reason: 'wrong' | 'unavailable' | 'unreachable' | 'expired' | 'factorNeeded' | Trouble }
  | { ok: false; reason: 'tooMany' | 'busy'; retryAfterSeconds: number }
type Trouble = 'databaseAway' | 'otherAddress'

type Fetch = (path: string, init?: RequestInit) => Promise<Response>
type Wait = (seconds: number) => Promise<void>
export type Credentials = { email: string; password: string; code?: string }

const TRIES_WHILE_BUSY = 3

/** Next-auth's sign-in by script: a CSRF token, then the form; retried while the server is busy. */
export async function signInWithPassword(
  credentials: Credentials & { callbackUrl: string },
  send: Fetch = fetch,
  wait: Wait = pause,
): Promise<SignInResult> {
  for (let attempt = 1; ; attempt += 1) {
    const posted = await postForm('callback/credentials', credentials, send)
    if (posted.ok) return resultOf(posted.url)
    if (posted.reason !== 'busy' || attempt === TRIES_WHILE_BUSY) return posted
    await wait(posted.retryAfterSeconds)
  }
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}

function resultOf(answer: URL): SignInResult {
  const refusal = answer.searchParams.get('error')
  if (refusal === 'SecondFactorNeeded') return { ok: false, reason: 'factorNeeded' }
  if (refusal !== null) return { ok: false, reason: refusal === 'CredentialsSignin' ? 'wrong' : 'unavailable' }
  if (answer.searchParams.has('csrf')) return { ok: false, reason: 'expired' }
  return { ok: true, path: answer.pathname + answer.search }
}

/** The provider's address where single sign-on begins; null when the server cannot be reached. */
export async function singleSignOnUrl(
  callbackUrl: string,
  { otherAccount = false } = {},
  send: Fetch = fetch,
): Promise<string | null> {
  return signOnUrl(otherAccount ? '?prompt=login' : '', callbackUrl, send)
}

export function proofUrl(send: Fetch = fetch): Promise<string | null> {
  return signOnUrl(`?prompt=${PROOF_PROMPT}`, PROOF_PAGE, send)
}

async function signOnUrl(query: string, callbackUrl: string, send: Fetch): Promise<string | null> {
  const posted = await postForm(`signin/oidc${query}`, { callbackUrl }, send)
  return posted.ok ? posted.url.href : null
}

/** Where to go after signing out: perhaps to the provider, which ends its own session; null when it failed. */
export async function signOut(send: Fetch = fetch): Promise<string | null> {
  const posted = await postForm('signout', { callbackUrl: '/signin', provider: 'true' }, send)
  if (!posted.ok || posted.url.searchParams.has('csrf')) return null
  return /^https?:/.test(posted.providerUrl) ? posted.providerUrl : '/signin?signedOut'
}

const TROUBLES: Readonly<Record<string, Trouble>> = { [DATABASE_AWAY]: 'databaseAway', [OTHER_ADDRESS]: 'otherAddress' }

async function postForm(
  action: string,
  fields: Record<string, string>,
  send: Fetch,
): Promise<{ ok: true; url: URL; providerUrl: string } | Failure> {
  try {
    const { csrfToken } = await objectOf(await send('/api/auth/csrf', { cache: 'no-store' }))
    const body = new URLSearchParams({ ...fields, csrfToken: textOf(csrfToken), json: 'true' })
    const response = await send(`/api/auth/${action}`, { method: 'POST', body })
    const trouble = TROUBLES[response.headers.get(REASON_HEADER) ?? '']
    if (trouble !== undefined) return { ok: false, reason: trouble }
    const retryAfterSeconds = Number(response.headers.get('retry-after'))
    if (response.status === 429) return { ok: false, reason: 'tooMany', retryAfterSeconds }
    if (response.status === 503 && retryAfterSeconds > 0) return { ok: false, reason: 'busy', retryAfterSeconds }
    const { url, providerUrl = '' } = await objectOf(response)
    return { ok: true, url: new URL(textOf(url), 'http://localhost'), providerUrl: textOf(providerUrl) }
  } catch {
    return { ok: false, reason: 'unreachable' }
  }
}

async function objectOf(response: Response): Promise<Record<string, unknown>> {
  return { ...((await response.json()) as object) }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('no text in the answer')
  return value
}

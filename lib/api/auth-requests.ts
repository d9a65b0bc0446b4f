export type SignInResult =
  | { ok: true; path: string }
  | { ok: false; reason: 'wrong' | 'unavailable' | 'unreachable' | 'expired' }
  | { ok: false; reason: 'tooMany'; retryAfterSeconds: number }

type Fetch = (path: string, init?: RequestInit) => Promise<Response>
type Credentials = { email: string; password: string; callbackUrl: string }

/** Next-auth's sign-in by script: a token against forged requests, then the form. */
export async function signInWithPassword(given: Credentials, send: Fetch = fetch): Promise<SignInResult> {
  const answer = await postForm('callback/credentials', given, send)
  if (answer === null) return { ok: false, reason: 'unreachable' }
  const refusal = answer.searchParams.get('error')
  if (refusal !== null) return refusalOf(refusal)
  if (answer.searchParams.has('csrf')) return { ok: false, reason: 'expired' }
  return { ok: true, path: answer.pathname + answer.search }
}

/** Where single sign-on begins: an address of the provider; null when the server cannot be reached. */
export async function singleSignOnUrl(callbackUrl: string, send: Fetch = fetch): Promise<string | null> {
  return (await postForm('signin/oidc', { callbackUrl }, send))?.href ?? null
}

/** Whether the session is over. */
export async function signOut(send: Fetch = fetch): Promise<boolean> {
  const answer = await postForm('signout', { callbackUrl: '/signin' }, send)
  return answer !== null && !answer.searchParams.has('csrf')
}

/** The address that next-auth would send a browser to. */
async function postForm(action: string, fields: Record<string, string>, send: Fetch): Promise<URL | null> {
  try {
    const csrfToken = textOf(await (await send('/api/auth/csrf', { cache: 'no-store' })).json(), 'csrfToken')
    const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' })
    const url = textOf(await (await send(`/api/auth/${action}`, { method: 'POST', body })).json(), 'url')
    return new URL(url, 'http://localhost')
  } catch {
    return null
  }
}

function textOf(answer: unknown, key: string): string {
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, key) : undefined
  if (typeof value !== 'string') throw new TypeError(`no ${key} in the answer`)
  return value
}

function refusalOf(code: string): SignInResult {
  const waiting = /^TooManyAttempts:(\d+)$/.exec(code)
  if (waiting) return { ok: false, reason: 'tooMany', retryAfterSeconds: Number(waiting[1]) }
  return { ok: false, reason: code === 'CredentialsSignin' ? 'wrong' : 'unavailable' }
}

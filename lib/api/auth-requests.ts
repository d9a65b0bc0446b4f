export type SignInResult =
  | { ok: true; path: string }
  | { ok: false; reason: 'wrong' | 'unavailable' | 'unreachable' | 'expired' | 'factorNeeded' }
  | { ok: false; reason: 'tooMany' | 'busy'; retryAfterSeconds: number }

type Fetch = (path: string, init?: RequestInit) => Promise<Response>
type Wait = (seconds: number) => Promise<void>
/** A second factor goes along when the password alone was answered with `factorNeeded`. */
export type Credentials = { email: string; password: string } & ({ code?: string } | { assertion: string })

const TRIES_WHILE_BUSY = 3

/** Next-auth's sign-in by script: a token against forged requests, then the form. While others are first it tries again. */
export function signInWithPassword(
  given: Credentials & { callbackUrl: string },
  send: Fetch = fetch,
  wait: Wait = pause,
): Promise<SignInResult> {
  return signIn('credentials', given, send, wait)
}

/** With what a passkey signed, and nothing else. */
export function signInWithPasskey(
  given: { assertion: string; callbackUrl: string },
  send: Fetch = fetch,
): Promise<SignInResult> {
  return signIn('passkey', given, send, pause)
}

async function signIn(way: string, given: Record<string, string>, send: Fetch, wait: Wait): Promise<SignInResult> {
  for (let tried = 1; ; tried += 1) {
    const answer = await postForm(`callback/${way}`, given, send)
    if (!(answer instanceof Busy)) return resultOf(answer)
    if (tried === TRIES_WHILE_BUSY) return { ok: false, reason: 'busy', retryAfterSeconds: answer.seconds }
    await wait(answer.seconds)
  }
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}

function resultOf(answer: URL | null): SignInResult {
  if (answer === null) return { ok: false, reason: 'unreachable' }
  const refusal = answer.searchParams.get('error')
  if (refusal !== null) return refusalOf(refusal)
  if (answer.searchParams.has('csrf')) return { ok: false, reason: 'expired' }
  return { ok: true, path: answer.pathname + answer.search }
}

/** Where single sign-on begins: an address of the provider; null when the server cannot be reached. */
export async function singleSignOnUrl(callbackUrl: string, send: Fetch = fetch): Promise<string | null> {
  const answer = await postForm('signin/oidc', { callbackUrl }, send)
  return answer instanceof URL ? answer.href : null
}

/** Whether the session is over. */
export async function signOut(send: Fetch = fetch): Promise<boolean> {
  const answer = await postForm('signout', { callbackUrl: '/signin' }, send)
  return answer instanceof URL && !answer.searchParams.has('csrf')
}

/** Too many sign in at once. */
class Busy {
  constructor(readonly seconds: number) {}
}

const SERVICE_UNAVAILABLE = 503

/** The address that next-auth would send a browser to. */
async function postForm(action: string, fields: Record<string, string>, send: Fetch): Promise<URL | Busy | null> {
  try {
    const csrfToken = textOf(await (await send('/api/auth/csrf', { cache: 'no-store' })).json(), 'csrfToken')
    const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' })
    const answer = await send(`/api/auth/${action}`, { method: 'POST', body })
    const seconds = Number(answer.headers.get('retry-after'))
    if (answer.status === SERVICE_UNAVAILABLE && seconds > 0) return new Busy(seconds)
    const url = textOf(await answer.json(), 'url')
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
  if (code === 'SecondFactorNeeded') return { ok: false, reason: 'factorNeeded' }
  return { ok: false, reason: code === 'CredentialsSignin' ? 'wrong' : 'unavailable' }
}

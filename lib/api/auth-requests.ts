import { DATABASE_AWAY, OTHER_ADDRESS, PROOF_PAGE, PROOF_PROMPT, REASON_HEADER } from '@/lib/contract/headers'

export type SignInResult =
  | { ok: true; path: string }
  | { ok: false; reason: 'wrong' | 'unavailable' | 'unreachable' | 'expired' | 'factorNeeded' | Trouble }
  | { ok: false; reason: 'tooMany' | 'busy'; retryAfterSeconds: number }

/** Why nobody can sign in now. */
type Trouble = 'databaseAway' | 'otherAddress'

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
    if (typeof answer === 'string') return { ok: false, reason: answer }
    if (!(answer instanceof Busy)) return resultOf(answer?.url ?? null)
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

/**
 * Where single sign-on begins: an address of the provider; null when the server cannot be reached. With another account than the
 * one that the provider knows already, if that is wanted.
 */
export async function singleSignOnUrl(
  callbackUrl: string,
  { otherAccount = false } = {},
  send: Fetch = fetch,
): Promise<string | null> {
  return signOnUrl(otherAccount ? '?prompt=select_account' : '', callbackUrl, send)
}

/** Where the provider asks somebody who is signed in whether it is still they. */
export function proofUrl(send: Fetch = fetch): Promise<string | null> {
  return signOnUrl(`?prompt=${PROOF_PROMPT}`, PROOF_PAGE, send)
}

async function signOnUrl(query: string, callbackUrl: string, send: Fetch): Promise<string | null> {
  const answer = await postForm(`signin/oidc${query}`, { callbackUrl }, send)
  return answer === null || answer instanceof Busy || typeof answer === 'string' ? null : answer.url.href
}

/** Where to go now that the session is over: to the provider of single sign-on, which ends its own, too; null when it is not over. */
export async function signOut(send: Fetch = fetch): Promise<string | null> {
  const done = await postForm('signout', { callbackUrl: '/signin', provider: 'true' }, send)
  if (done === null || done instanceof Busy || typeof done === 'string' || done.url.searchParams.has('csrf'))
    return null
  const { providerUrl } = done
  return providerUrl !== null && /^https?:/.test(providerUrl) ? providerUrl : '/signin?signedOut'
}

/** Too many sign in at once. */
class Busy {
  constructor(readonly seconds: number) {}
}

const SERVICE_UNAVAILABLE = 503

const TROUBLES: Readonly<Record<string, Trouble>> = { [DATABASE_AWAY]: 'databaseAway', [OTHER_ADDRESS]: 'otherAddress' }

type Answer = { url: URL; providerUrl: string | null }

/** The address that next-auth would send a browser to. */
async function postForm(
  action: string,
  fields: Record<string, string>,
  send: Fetch,
): Promise<Answer | Busy | Trouble | null> {
  try {
    const csrfToken = textOf(await (await send('/api/auth/csrf', { cache: 'no-store' })).json(), 'csrfToken')
    const body = new URLSearchParams({ ...fields, csrfToken, json: 'true' })
    const response = await send(`/api/auth/${action}`, { method: 'POST', body })
    const trouble = TROUBLES[response.headers.get(REASON_HEADER) ?? '']
    if (trouble !== undefined) return trouble
    const seconds = Number(response.headers.get('retry-after'))
    if (response.status === SERVICE_UNAVAILABLE && seconds > 0) return new Busy(seconds)
    const answer: unknown = await response.json()
    const isMore = typeof answer === 'object' && answer !== null && 'providerUrl' in answer
    return {
      url: new URL(textOf(answer, 'url'), 'http://localhost'),
      providerUrl: isMore ? textOf(answer, 'providerUrl') : null,
    }
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

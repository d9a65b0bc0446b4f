import 'server-only'
import type { Env } from '@/server/env'
import { HttpError, OtherAddressError } from './responses'

type Own = Pick<Env, 'mode' | 'auth'>

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isReading({ method }: Request): boolean {
  return READS.has(method)
}

/**
 * Against requests that another site makes with a person's cookie: whatever changes something must say that it comes from
 * here, by scheme, host and port. Browsers send Origin with every such request (Fetch Standard, 3.2); HttpError 403, and
 * OtherAddressError where it does come from here, but `NEXTAUTH_URL` is another address.
 */
export function requireSameOrigin(request: Request, own: Own): void {
  if (isReading(request)) return
  const origin = request.headers.get('origin')
  if (origin === null || !isOwn(origin, request, own) || isSentByAnother(request)) throw refusalOf(request, own)
}

/**
 * The same where scripts sign in without naming an origin, and where a secret of the form itself is asked for besides: only
 * what names another origin is refused.
 */
export function refuseForeignOrigin(request: Request, own: Own): void {
  if (isReading(request)) return
  const origin = request.headers.get('origin')
  const isForeign = origin !== null && !isOwn(origin, request, own)
  if (isForeign || isSentByAnother(request)) throw refusalOf(request, own)
}

const LONGEST_ORIGIN = 100

/**
 * Whether it was another site, or our own page at an address that we are not set up for. No other site can have a browser say
 * `same-origin`, which browsers say over https; over http they say nothing, and then the host that was asked for is the page's.
 */
function refusalOf({ headers }: Request, own: Own): Error {
  const text = headers.get('origin') ?? ''
  const origin = URL.canParse(text) ? new URL(text) : null
  const site = headers.get('sec-fetch-site')
  const isHere = site === null ? origin?.host === headers.get('host') : site === 'same-origin'
  if (origin === null || !/^https?:$/.test(origin.protocol) || !isHere || origin.origin === own.auth.url)
    return new HttpError(403, 'Unauthorized')
  return new OtherAddressError(origin.origin.slice(0, LONGEST_ORIGIN), own.auth.url)
}

/** `null` is nobody's: sandboxed pages and some redirects send it. */
function isOwn(origin: string, request: Request, { mode, auth }: Own): boolean {
  if (origin === auth.url) return true
  // A demo is opened by whatever name the machine has; connected, there is one address and no other.
  return mode === 'demo' && origin === addressAskedFor(request)
}

/** What the browser itself says of who made it send this (Fetch Metadata); older ones and scripts say nothing. */
function isSentByAnother({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  return site !== null && site !== 'same-origin' && site !== 'none'
}

/** The scheme as Next or a proxy before it has seen it: no page can have a browser send this header elsewhere. */
function addressAskedFor({ headers }: Request): string | null {
  const scheme = headers.get('x-forwarded-proto')?.split(',')[0]?.trim() ?? 'http'
  const address = `${scheme}://${headers.get('host') ?? ''}`
  return URL.canParse(address) ? new URL(address).origin : null
}

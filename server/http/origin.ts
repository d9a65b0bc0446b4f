import 'server-only'
import type { Env } from '@/server/env'
import { HttpError } from './responses'

type Own = Pick<Env, 'mode' | 'auth'>

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isReading({ method }: Request): boolean {
  return READS.has(method)
}

/**
 * Against requests that another site makes with a person's cookie: whatever changes something must say that it comes from
 * here, by scheme, host and port. Browsers send Origin with every such request (Fetch Standard, 3.2); HttpError 403.
 */
export function requireSameOrigin(request: Request, own: Own): void {
  if (isReading(request)) return
  const origin = request.headers.get('origin')
  if (origin === null || !isOwn(origin, request, own) || isSentByAnother(request))
    throw new HttpError(403, 'Unauthorized')
}

/**
 * The same where scripts sign in without naming an origin, and where a secret of the form itself is asked for besides: only
 * what names another origin is refused.
 */
export function refuseForeignOrigin(request: Request, own: Own): void {
  if (isReading(request)) return
  const origin = request.headers.get('origin')
  const isForeign = origin !== null && !isOwn(origin, request, own)
  if (isForeign || isSentByAnother(request)) throw new HttpError(403, 'Unauthorized')
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

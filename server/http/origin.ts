import 'server-only'
import type { Env } from '@/server/base/env'
import type { Logger } from '@/server/base/logger'
import { HttpError, OtherAddressError } from './responses'

type OwnOrigin = Pick<Env, 'mode' | 'auth'>

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isReading({ method }: Request): boolean {
  return READS.has(method)
}

/**
 * Against forged requests: browsers name the origin of every change (Fetch Standard, 3.2). HttpError 403. `isOptional`:
 * for scripts that sign in without an Origin and send a secret besides.
 */
export function requireSameOrigin(request: Request, own: OwnOrigin, { isOptional = false } = {}): void {
  if (isReading(request)) return
  const origin = request.headers.get('origin')
  const isRight = origin === null ? isOptional : isOwn(origin, request, own)
  if (!isRight || isSentByAnother(request)) throw refusalOf(request, own)
}

const MAX_ORIGIN_LENGTH = 100

/** Over https only our page says `same-origin`; over http nothing is said, and the host asked for is the page's. */
function refusalOf({ headers }: Request, own: OwnOrigin): Error {
  const text = headers.get('origin') ?? ''
  const origin = URL.canParse(text) ? new URL(text) : null
  const site = headers.get('sec-fetch-site')
  const isHere = site === null ? origin?.host === headers.get('host') : site === 'same-origin'
  if (origin === null || !/^https?:$/.test(origin.protocol) || !isHere || origin.origin === own.auth.url)
    return new HttpError(403, 'Unauthorized')
  return new OtherAddressError(origin.origin.slice(0, MAX_ORIGIN_LENGTH), own.auth.url)
}

/** `null` is sent by sandboxed pages and some redirects. */
function isOwn(origin: string, request: Request, { mode, auth }: OwnOrigin): boolean {
  if (origin === auth.url) return true
  return mode === 'demo' && origin === addressAskedFor(request)
}

/** Fetch Metadata; older browsers and scripts send none. */
function isSentByAnother({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  return site !== null && site !== 'same-origin' && site !== 'none'
}

/** The scheme as Next or a proxy saw it: no page can make a browser send this header. */
function addressAskedFor({ headers }: Request): string | null {
  const scheme = headers.get('x-forwarded-proto')?.split(',')[0]?.trim() ?? 'http'
  const address = `${scheme}://${headers.get('host') ?? ''}`
  return URL.canParse(address) ? new URL(address).origin : null
}

/** So that the operator learns of it: users who open Intag there can save nothing. */
export function warnOfOtherAddress(parts: { env: OwnOrigin; logger: Pick<Logger, 'warn'> }, error: unknown): void {
  if (!(error instanceof OtherAddressError)) return
  const { env, logger } = parts
  logger.warn(
    { openedAt: error.openedAt, setUpFor: env.auth.url },
    'Intag is opened at another address than NEXTAUTH_URL: nothing can be saved there',
  )
}

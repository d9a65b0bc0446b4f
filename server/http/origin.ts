import 'server-only'
import type { Env } from '@/server/base/env'
import type { Logger } from '@/server/base/logger'
import { HttpError, OtherAddressError } from './responses'

type OwnOrigin = Pick<Env, 'mode' | 'auth'>

export function isReading({ method }: Request): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/**
 * Against forged requests: browsers name the origin of every change (Fetch Standard, 3.2). `HttpError` 403, or
 * `OtherAddressError` for our own page at another address. `isOptional`: for scripts that sign in without an Origin and
 * send a secret besides.
 */
export function requireSameOrigin(request: Request, { mode, auth }: OwnOrigin, { isOptional = false } = {}): void {
  if (isReading(request)) return
  const { headers } = request
  // The text `null` is sent by sandboxed pages and some redirects.
  const text = headers.get('origin')
  const host = headers.get('host') ?? ''
  // The scheme as Next or a proxy saw it: no page can make a browser send this header.
  const scheme = headers.get('x-forwarded-proto')?.split(',')[0]?.trim() ?? 'http'
  const isDemos = mode === 'demo' && text !== null && text === urlIn(`${scheme}://${host}`)?.origin
  const isRight = text === null ? isOptional : text === auth.url || isDemos
  // Fetch Metadata; older browsers and scripts send none.
  const site = headers.get('sec-fetch-site')
  if (isRight && (site === null || site === 'same-origin' || site === 'none')) return
  const origin = urlIn(text ?? '')
  // Over https only our page says `same-origin`; over http nothing is said, and the host asked for is the page's.
  const isHere = site === null ? origin?.host === host : site === 'same-origin'
  if (origin !== null && /^https?:$/.test(origin.protocol) && isHere && origin.origin !== auth.url)
    throw new OtherAddressError(origin.origin.slice(0, 100), auth.url)
  throw new HttpError(403, 'Unauthorized')
}

function urlIn(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null
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

import 'server-only'
import { OTHER_ADDRESS } from '@/lib/contract/headers'
import type { Env } from '@/server/base/env'
import type { Logger } from '@/server/base/logger'
import { HttpError } from './responses'

/**
 * Against forged requests: browsers name the origin of every change (Fetch Standard, 3.2); otherwise `HttpError` 403.
 * `isOptional`: for scripts that sign in without an Origin and send a secret besides.
 */
export function requireSameOrigin(
  { env, logger }: { env: Pick<Env, 'mode' | 'auth'>; logger: Pick<Logger, 'warn'> },
  { method, headers }: Request,
  { isOptional: isOriginOptional = false } = {},
): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return
  const { mode, auth } = env
  // The text `null` is sent by sandboxed pages and some redirects.
  const text = headers.get('origin')
  const host = headers.get('host') ?? ''
  // The scheme as Next or a proxy saw it: no page can make a browser send this header.
  const scheme = headers.get('x-forwarded-proto')?.split(',')[0]?.trim() ?? 'http'
  const isDemos = mode === 'demo' && text !== null && text === parseUrl(`${scheme}://${host}`)?.origin
  const isRight = text === null ? isOriginOptional : text === auth.url || isDemos
  // Fetch Metadata; older browsers and scripts send none.
  const site = headers.get('sec-fetch-site')
  if (isRight && (site === null || site === 'same-origin' || site === 'none')) return
  const origin = parseUrl(text ?? '')
  // Over https only our page says `same-origin`; over http nothing is said, and the host asked for is the page's.
  const isHere = site === null ? origin?.host === host : site === 'same-origin'
  if (origin === null || !/^https?:$/.test(origin.protocol) || !isHere || origin.origin === auth.url)
    throw new HttpError(403, 'Unauthorized')
  // Our own page at another address than `NEXTAUTH_URL` cannot be distinguished from a forgery: the operator must learn of it.
  const openedAt = origin.origin.slice(0, 100)
  const message = 'Intag is opened at another address than NEXTAUTH_URL: nothing can be saved there'
  logger.warn({ openedAt, setUpFor: auth.url }, message)
  throw new HttpError(
    403,
    `Intag is opened at another address than it is set up for (${auth.url}): nothing can be saved; tell your administrator`,
    OTHER_ADDRESS,
  )
}

function parseUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null
}

import { OTHER_ADDRESS } from '@/lib/contract/headers'
import type { Env } from '@/server/base/env'
import type { Logger } from '@/server/base/logger'
import { HttpError } from './responses'

/** Throws 403 for a change from another origin (Fetch Standard, 3.2). With `isOriginOptional` scripts may send none. */
export function requireSameOrigin(
  { env, logger }: { env: Pick<Env, 'mode' | 'auth'>; logger: Pick<Logger, 'warn'> },
  { method, headers }: Request,
  { isOriginOptional = false } = {},
): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return
  const { mode, auth } = env
  const originText = headers.get('origin')
  const host = headers.get('host') ?? ''
  // Next or a proxy sets this header to the scheme that it saw; no page can.
  const scheme = headers.get('x-forwarded-proto')?.split(',')[0]?.trim() ?? 'http'
  const isDemoOrigin = mode === 'demo' && originText !== null && originText === parseUrl(`${scheme}://${host}`)?.origin
  const isAllowedOrigin = originText === null ? isOriginOptional : originText === auth.url || isDemoOrigin
  // Fetch Metadata may be missing: scripts, older browsers and all browsers over http send none.
  const fetchSite = headers.get('sec-fetch-site')
  if (isAllowedOrigin && (fetchSite === null || fetchSite === 'same-origin' || fetchSite === 'none')) return
  const openedUrl = parseUrl(originText ?? '')
  const isOwnPage = fetchSite === null ? openedUrl?.host === host : fetchSite === 'same-origin'
  if (openedUrl === null || !isOwnPage) throw new HttpError(403, 'Unauthorized')
  const message = 'Intag is opened at another address than NEXTAUTH_URL: nothing can be saved there'
  logger.warn({ openedAt: openedUrl.origin.slice(0, 100), setUpFor: auth.url }, message)
  throw new HttpError(
    403,
    `Intag is opened at another address than it is set up for (${auth.url}): nothing can be saved; tell your administrator`,
    OTHER_ADDRESS,
  )
}

function parseUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null
}

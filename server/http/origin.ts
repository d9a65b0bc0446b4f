import 'server-only'
import type { OtherAddressReport } from '@/lib/contract/feed-status'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
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

type Parts = { env: Pick<Env, 'auth'>; now: () => number; logger: Pick<Logger, 'warn'> }
export type OtherAddress = ReturnType<typeof createOtherAddress>

const MINUTE_MS = 60_000
const KEPT_MS = 24 * 3_600_000

/** Logged once a minute at most, and shown to administrators. Keeps only the last address and a count. */
export function createOtherAddress({ env, now, logger }: Parts) {
  let seen: { origin: string; count: number; at: number } | null = null
  let saidAt = -Infinity
  let unsaid = 0
  return {
    record: (origin: string): void => {
      seen = { origin, count: (seen?.count ?? 0) + 1, at: now() }
      unsaid += 1
      if (now() - saidAt < MINUTE_MS) return
      logger.warn(
        { openedAt: origin, setUpFor: env.auth.url, refused: unsaid },
        'Intag is opened at another address than NEXTAUTH_URL: nothing can be saved there',
      )
      saidAt = now()
      unsaid = 0
    },
    report: (): OtherAddressReport | null => {
      if (seen === null || now() - seen.at > KEPT_MS) return null
      const { origin, count, at } = seen
      return { openedAt: origin, setUpFor: env.auth.url, count, lastAt: new Date(at).toISOString() }
    },
  }
}

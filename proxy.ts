import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { PROOF_PAGE } from '@/lib/contract/headers'
import { contentSecurityPolicy } from '@/server/http/front-door'
import { sessionCookieName } from '@/server/access/session-cookie'
import { processOutage } from '@/server/db/outage'
import { env, isDevelopment } from '@/server/env'
import { busyPage, UNREACHABLE } from '@/server/http/busy-page'
import { isPage, processLoad } from '@/server/http/load'
import { processLifecycle } from '@/server/operations/health'

/**
 * A nonce and its policy for every page, and a shortcut to the sign-in page: permissions are checked by the page
 * itself. Pages are refused while too many are under way, and while the database they need is away.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, isDevelopment())
  const response = (await insteadOfPage(request, nonce)) ?? withNonce(request, nonce, policy)
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = { matcher: ['/((?!api(?:/|$)|external(?:/|$)|_next/).*)'] }

async function insteadOfPage(request: NextRequest, nonce: string): Promise<Response | null> {
  const { nextUrl, headers, cookies } = request
  if (!isPage(nextUrl.pathname)) return null
  const asked = { cookie: (name: string) => cookies.get(name)?.value, headers }
  const phase = processLifecycle().phase()
  if (phase === 'starting' || phase === 'waiting') return busyPage(asked, nonce, COMING_SECONDS, phase)
  if (needsSession(request)) return toSignIn(request)
  const away = () => busyPage(asked, nonce, AWAY_SECONDS, 'database')
  if (nextUrl.pathname === UNREACHABLE) return (await processOutage().answers()) ? toStart(request) : away()
  // In-app navigation would lose the desk, with what is still on its way to the server.
  if (headers.get('sec-fetch-dest') === 'empty') return null
  const wait = processLoad().retrySeconds('page')
  if (wait !== null) return busyPage(asked, nonce, wait)
  const isAway = OF_THE_DATABASE.test(nextUrl.pathname) && !(await processOutage().answers())
  return isAway ? away() : null
}

/** Pages that need the database. Lists and contacts are served from memory for a while. */
const OF_THE_DATABASE = /^\/(?:admin|account|exports|second-factor)(?:\/|$)/
const AWAY_SECONDS = 5
const COMING_SECONDS = 3

const OPEN_PAGE = /^\/(?:signin|invite)(?:\/|$)/

function needsSession(request: NextRequest): boolean {
  return !OPEN_PAGE.test(request.nextUrl.pathname) && !request.cookies.has(sessionCookieName(env()))
}

function toStart({ nextUrl }: NextRequest): NextResponse {
  const target = nextUrl.clone()
  target.pathname = '/'
  return NextResponse.redirect(target)
}

/** The way back is a path of ours; that of a proof would make a proof of the sign-in. */
function toSignIn(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl
  const target = request.nextUrl.clone()
  target.pathname = '/signin'
  const isNoPlace = pathname === '/' || pathname.startsWith(PROOF_PAGE)
  target.search = isNoPlace ? '' : `?${new URLSearchParams({ callbackUrl: pathname + search })}`
  return NextResponse.redirect(target)
}

function withNonce(request: NextRequest, nonce: string, policy: string): NextResponse {
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', policy)
  return NextResponse.next({ request: { headers } })
}

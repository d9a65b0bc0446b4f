import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { PROOF_PAGE } from '@/lib/contract/headers'
import { contentSecurityPolicy } from '@/server/http/front-door'
import { sessionCookieName } from '@/server/access/session-cookie'
import { processOutage } from '@/server/base/outage'
import { env, isDevelopment } from '@/server/base/env'
import { awayPage, UNREACHABLE } from '@/server/http/away-page'
import { processLifecycle } from '@/server/http/health'

/**
 * A nonce and its policy for every page, and a shortcut to the sign-in page: permissions are checked by the page
 * itself. While Intag starts, and for users whom nobody can identify without the database, a page says what is away.
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
  if (FILE.test(nextUrl.pathname)) return null
  const asked = { cookie: (name: string) => cookies.get(name)?.value, headers }
  const phase = processLifecycle().phase()
  if (phase === 'starting' || phase === 'waiting') return awayPage(asked, nonce, COMING_SECONDS, phase)
  if (needsSession(request)) return toSignIn(request)
  if (nextUrl.pathname !== UNREACHABLE) return null
  if (await processOutage().answers()) return toStart(request)
  return awayPage(asked, nonce, AWAY_SECONDS, 'database')
}

const FILE = /^[\w./-]+\.(?:css|ico|jpg|js|json|png|svg|txt|webmanifest|woff2)$/
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

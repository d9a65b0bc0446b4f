import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { contentSecurityPolicy } from '@/server/access/csp'
import { sessionCookieName } from '@/server/access/session'
import { env, isDevelopment } from '@/server/env'

/**
 * A nonce and the security headers for every page, and a shortcut to the sign-in page. The shortcut is a
 * convenience: what a person may see is decided by the page or route itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const settings = env()
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, isDevelopment())
  const response = needsSession(request) ? toSignIn(request) : withNonce(request, nonce, policy)
  response.headers.set('content-security-policy', policy)
  response.headers.set('referrer-policy', 'same-origin')
  response.headers.set('x-content-type-options', 'nosniff')
  response.headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  if (settings.auth.url.startsWith('https:')) response.headers.set('strict-transport-security', 'max-age=31536000')
  return response
}

export const config = { matcher: ['/((?!api(?:/|$)|external(?:/|$)|_next/).*)'] }

const OPEN_PAGE = /^\/(?:signin|invite)(?:\/|$)/
const STATIC_FILE = /^\/[\w./-]+\.(?:css|ico|jpg|js|json|png|svg|txt|webmanifest|woff2)$/

function needsSession(request: NextRequest): boolean {
  const { pathname } = request.nextUrl
  if (OPEN_PAGE.test(pathname) || STATIC_FILE.test(pathname)) return false
  return !request.cookies.has(sessionCookieName(env()))
}

/** A path of ours goes along, so that the way back can only lead here. */
function toSignIn(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl
  const target = request.nextUrl.clone()
  target.pathname = '/signin'
  target.search = pathname === '/' ? '' : `?${new URLSearchParams({ callbackUrl: pathname + search })}`
  return NextResponse.redirect(target)
}

/** Next reads the nonce for its own scripts from the policy on the request; ours read `x-nonce`. */
function withNonce(request: NextRequest, nonce: string, policy: string): NextResponse {
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', policy)
  return NextResponse.next({ request: { headers } })
}

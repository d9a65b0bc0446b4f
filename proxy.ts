import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { PROOF_PAGE } from '@/lib/contract/headers'
import { toSessionCookieName } from '@/server/access/cookies'
import { processOutageMonitor } from '@/server/base/database-outage'
import { env, isDevelopment } from '@/server/base/env'
import { processLifecycle } from '@/server/http/lifecycle'
import { createContentSecurityPolicy } from '@/server/http/security-headers'
import { renderUnavailablePage, UNREACHABLE_PATH } from '@/server/http/unavailable-page'

const STATIC_FILE_PATH = /^[\w./-]+\.(?:css|ico|jpg|js|json|png|svg|txt|webmanifest|woff2)$/
const PUBLIC_PAGE_PATH = /^\/(?:signin|invite)(?:\/|$)/

/** Gives every page a CSP with a nonce, and redirects visitors without a session cookie; pages check permissions. */
export async function proxy(request: NextRequest): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  const policy = createContentSecurityPolicy(nonce, isDevelopment())
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', policy)
  const response = (await findReplacement(request, nonce)) ?? NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = { matcher: ['/((?!api(?:/|$)|external(?:/|$)|_next/).*)'] }

/** Finds the response that takes the place of the page. Returns null if the page itself answers. */
async function findReplacement(request: NextRequest, nonce: string): Promise<Response | null> {
  const { nextUrl, cookies } = request
  const { pathname, search } = nextUrl
  if (STATIC_FILE_PATH.test(pathname)) return null
  const phase = processLifecycle().getPhase()
  if (phase === 'starting' || phase === 'waiting')
    return renderUnavailablePage(request, { nonce, cause: phase, reloadSeconds: 3 })
  const target = nextUrl.clone()
  if (!PUBLIC_PAGE_PATH.test(pathname) && !cookies.has(toSessionCookieName(env()))) {
    target.pathname = '/signin'
    // Signing in proves the identity, so it does not lead back to the page that asks for proof.
    const returnsToPage = pathname !== '/' && !pathname.startsWith(PROOF_PAGE)
    target.search = returnsToPage ? `?${new URLSearchParams({ callbackUrl: pathname + search })}` : ''
    return NextResponse.redirect(target)
  }
  if (pathname !== UNREACHABLE_PATH) return null
  if (!(await processOutageMonitor().probeDatabase()))
    return renderUnavailablePage(request, { nonce, cause: 'database', reloadSeconds: 5 })
  target.pathname = '/'
  return NextResponse.redirect(target)
}

import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import type { EventEmitter } from 'node:events'
import { invitePath, readInviteLink } from '@/lib/contract/invite-link'
import { findClientAddress } from '@/server/access/ip-address'
import { enterRequest, chooseRequestId, type CurrentRequest } from '@/server/base/request-context'
import type { AnsweredRequest } from '@/server/base/counters'
import type { Env } from '@/server/base/env'
import type { StartedRequest } from './open-requests'

/** Notes address and id, and sets the headers of security, before Next sees the request. Answers what ends it. */
export function createRequestHook(
  { auth, trustedProxies }: Pick<Env, 'auth' | 'trustedProxies'>,
  onAnswered?: (answered: AnsweredRequest) => void,
) {
  const headers = Object.entries(securityHeaders({ auth }))
  return ({ request, response }: StartedRequest): (() => void) => {
    const startedAt = performance.now()
    const forwarded = request.headers['x-forwarded-for']
    const address = findClientAddress(request.socket.remoteAddress, forwarded, trustedProxies)
    for (const name of FORWARDED_HEADERS) delete request.headers[name]
    for (const [name, value] of headers) response.setHeader(name, value)
    // A rewritten link to set a password may bring its token to the server: none of what follows, redirects and logs
    // included, sees it, and the page's own requests do not name it as where they come from. The browser still has it.
    const link = readInviteLink(request.url ?? '/')
    if (link !== null && !(link.token === '' && PLAIN_INVITE.test(request.url ?? ''))) {
      request.url = invitePath({ ...link, token: '' })
      response.setHeader('referrer-policy', 'no-referrer')
    }
    // Next answers these with 500 (TRACE, paths that are not UTF-8): they go to where they get 405 and 404.
    if (request.method === 'TRACE') Object.assign(request, { method: 'OPTIONS', url: '/api/status' })
    else if (!isDecodable(request.url ?? '/')) request.url = '/api'
    // A client that wants another protocol has no use for the connection after the answer.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close')
    const { method = 'GET', url = '/' } = request
    const id = chooseRequestId(request.headers['x-request-id'], trustedProxies > 0)
    const current: CurrentRequest = { id, address, isOver: false }
    delete request.headers['x-request-id']
    response.setHeader('x-request-id', id)
    enterRequest(current)
    return () => {
      current.isOver = true
      onAnswered?.({ method, url, status: response.statusCode, seconds: (performance.now() - startedAt) / 1000 })
    }
  }
}

/**
 * Intag speaks nothing but HTTP: a request to upgrade is answered like any other, as RFC 9110 (7.8) allows and Node does
 * when nothing listens for upgrades. Next listens, and holds such connections for minutes, unseen by everything here.
 */
export function ignoreUpgrades(): void {
  subscribe('net.server.socket', (message) => {
    const { server } = (message as { socket: { server?: EventEmitter } }).socket
    server?.removeAllListeners('upgrade')
  })
}

const FORWARDED_HEADERS =
  'forwarded x-forwarded-for x-forwarded-host x-forwarded-port x-forwarded-proto x-real-ip'.split(' ')

/** HSTS (RFC 6797) only under https. */
export function securityHeaders({ auth }: Pick<Env, 'auth'>): Record<string, string> {
  return {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(auth.url.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** With nothing in it that may be a part of a token, or stand for the # before one. */
const PLAIN_INVITE = /^\/invite(?:\?[\w=&.-]*)?$/

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

/** W3C CSP 3, "strict". Charts and virtualised rows need `style` attributes. */
export function contentSecurityPolicy(nonce: string, isDevelopment: boolean): string {
  const directives = {
    'default-src': ["'self'"],
    'script-src': [`'nonce-${nonce}'`, "'strict-dynamic'", ...(isDevelopment ? ["'unsafe-eval'"] : [])],
    // A nonce would disable 'unsafe-inline', which the overlay of `next dev` needs.
    'style-src': ["'self'", ...(isDevelopment ? ["'unsafe-inline'"] : [`'nonce-${nonce}'`])],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'connect-src': ["'self'", ...(isDevelopment ? ['ws:'] : [])],
    'font-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'object-src': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}

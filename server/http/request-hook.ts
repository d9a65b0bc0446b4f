import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import type { EventEmitter } from 'node:events'
import { invitePath, readInviteLink } from '@/lib/contract/invite-link'
import { findClientAddress } from '@/server/access/ip-address'
import type { AnsweredRequest } from '@/server/base/counters'
import type { Env } from '@/server/base/env'
import { chooseRequestId, type CurrentRequest, enterRequest } from '@/server/base/request-context'
import type { StartedRequest } from './open-requests'
import { securityHeaders } from './security-headers'

/** Runs before Next sees a request. The hook returns a function to call when the request is over. */
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
    // A mail filter may rewrite a link so that its token reaches the server. It is removed before redirects and logs,
    // and the page sends no Referer. The browser still has the token.
    const link = readInviteLink(request.url ?? '/')
    if (link !== null && !(link.token === '' && PLAIN_INVITE.test(request.url ?? ''))) {
      request.url = invitePath({ ...link, token: '' })
      response.setHeader('referrer-policy', 'no-referrer')
    }
    // Next would answer TRACE and paths that are not UTF-8 with 500. They are rewritten to what gets 405 and 404.
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
 * Intag speaks nothing but HTTP: a request to upgrade is answered like any other, as RFC 9110 (7.8) allows and Node
 * does when nothing listens for upgrades. Next does listen, and would keep such connections open without limit or log.
 */
export function ignoreUpgrades(): void {
  subscribe('net.server.socket', (message) => {
    const { server } = (message as { socket: { server?: EventEmitter } }).socket
    server?.removeAllListeners('upgrade')
  })
}

const FORWARDED_HEADERS =
  'forwarded x-forwarded-for x-forwarded-host x-forwarded-port x-forwarded-proto x-real-ip'.split(' ')

/** An address of the invitation page without percent-encoded characters, which could hide a token or its #. */
const PLAIN_INVITE = /^\/invite(?:\?[\w=&.-]*)?$/

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

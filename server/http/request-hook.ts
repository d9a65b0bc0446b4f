import { subscribe } from 'node:diagnostics_channel'
import type { EventEmitter } from 'node:events'
import { toInvitePath, readInviteLink } from '@/lib/contract/invite-link'
import { findClientAddress } from '@/server/access/ip-address'
import type { AnsweredRequest } from '@/server/base/counters'
import type { Env } from '@/server/base/env'
import { chooseRequestId, type CurrentRequest, enterRequest } from '@/server/base/request-context'
import type { StartedRequest } from './open-requests'
import { createSecurityHeaders } from './security-headers'

const FORWARDED_HEADER = /^(?:forwarded|x-forwarded-(?:for|host|port|proto)|x-real-ip)$/
/** The invitation page's address without percent-encoded characters, which could hide a token or the `#` before it. */
const PLAIN_INVITE_PATH = /^\/invite(?:\?[\w=&.-]*)?$/

/** Prepares a request and its response before Next sees them. Returns a function to call when the request is over. */
export function createRequestHook(
  { auth, trustedProxies }: Pick<Env, 'auth' | 'trustedProxies'>,
  onAnswered: (answered: AnsweredRequest) => void,
) {
  const headers = Object.entries(createSecurityHeaders({ auth }))
  return ({ request, response }: StartedRequest): (() => void) => {
    const startedAt = performance.now()
    const forwarded = request.headers['x-forwarded-for']
    const address = findClientAddress(request.socket.remoteAddress, forwarded, trustedProxies)
    // No forwarded header passes, because Next would trust it.
    for (const name of Object.keys(request.headers)) if (FORWARDED_HEADER.test(name)) delete request.headers[name]
    for (const [name, value] of headers) response.setHeader(name, value)
    // Mail filters may rewrite a link so that its token reaches the server. It is removed before anything can log it.
    const link = readInviteLink(request.url ?? '/')
    if (link !== null && (link.token !== '' || !PLAIN_INVITE_PATH.test(request.url ?? ''))) {
      request.url = toInvitePath({ ...link, token: '' })
      response.setHeader('referrer-policy', 'no-referrer')
    }
    // TRACE and paths that are not UTF-8 are rewritten to what gets 405 and 404: Next would answer with 500.
    if (request.method === 'TRACE') {
      request.method = 'OPTIONS'
      request.url = '/api/status'
    } else if (!isDecodable(request.url ?? '/')) request.url = '/api'
    // The connection closes after the answer, because the client wants another protocol and may already send it.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close')
    const { method = 'GET', url = '/' } = request
    const id = chooseRequestId(request.headers['x-request-id'], trustedProxies > 0)
    const currentRequest: CurrentRequest = { id, address, isOver: false }
    delete request.headers['x-request-id']
    response.setHeader('x-request-id', id)
    enterRequest(currentRequest)
    return () => {
      currentRequest.isOver = true
      onAnswered({ method, url, status: response.statusCode, seconds: (performance.now() - startedAt) / 1000 })
    }
  }
}

/** Answers an upgrade like any request (RFC 9110, 7.8). Next would keep such connections open without limit or log. */
export function disableUpgrades(): void {
  // Next adds listeners at its start and at the first request, and the server is reachable only through its sockets.
  for (const channel of ['net.server.socket', 'http.server.response.finish'])
    subscribe(channel, (message) => {
      const { server } = (message as { socket: { server?: EventEmitter } }).socket
      server?.removeAllListeners('upgrade')
    })
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

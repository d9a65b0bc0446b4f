import 'server-only'
import * as http from 'node:http'
import * as https from 'node:https'
import { type Readable, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { agentTo, DIRECT, type ProxySettings } from './proxy'

export type UpstreamRequest = { url: string; headers: Record<string, string>; signal: AbortSignal }

/**
 * Sends one GET and answers when its headers are there. The body comes decoded, without `content-encoding`; it fails
 * when it ends before it is whole. Follows no redirect, caches nothing, and rejects when the service cannot be reached.
 */
export type Transport = (request: UpstreamRequest) => Promise<Response>

/** Shorter than the five seconds after which most servers close, so that no request meets a connection going away. */
const IDLE_CONNECTION_MS = 4_000
const WITHOUT_BODY = new Set([204, 205, 304])

/** Over the network with Node's own client: the framework patches `fetch` with a cache, here nothing may be cached. */
export function createHttpTransport(proxy: ProxySettings = DIRECT): Transport {
  const options = { keepAlive: true, timeout: IDLE_CONNECTION_MS }
  // Few are asked: the service, or the provider and where it has its keys.
  const agents = new Map<string, http.Agent>()
  return async ({ url, headers, signal }) => {
    const { origin, protocol } = new URL(url)
    const agent = agents.get(origin) ?? agentTo(origin, proxy, options)
    agents.set(origin, agent)
    const { request } = protocol === 'https:' ? https : http
    return toResponse(await sent(request(url, { headers, agent }), signal))
  }
}

function sent(outgoing: http.ClientRequest, signal: AbortSignal): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abort = () => outgoing.destroy(new Error('The request was given up'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    outgoing.on('close', () => signal.removeEventListener('abort', abort))
    outgoing.on('error', reject)
    outgoing.on('response', resolve)
    outgoing.end()
  })
}

function toResponse(answer: http.IncomingMessage): Response {
  const status = answer.statusCode ?? 0
  const headers = new Headers()
  for (const name of ['content-type', 'content-encoding', 'etag', 'last-modified', 'retry-after', 'date']) {
    const value = answer.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  if (WITHOUT_BODY.has(status)) {
    answer.resume()
    return new Response(null, { status, headers })
  }
  return new Response(toWebStream(decoded(answer, headers)), { status, headers })
}

/** Any encoding but the one we asked for stays, and stays named, so that nobody takes the bytes for text. */
function decoded(answer: http.IncomingMessage, headers: Headers): Readable {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase()
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return answer
  headers.delete('content-encoding')
  return pipeline(answer, createGunzip(), () => {})
}

/** One chunk at a time, so that a fast sender fills no buffer; leaving early closes the connection. */
function toWebStream(source: Readable): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  )
}

/** Hands the request to a service within this process. Nothing is compressed on a way of no length. */
export function createInProcessTransport(handle: (request: Request) => Promise<Response>): Transport {
  return async ({ url, headers, signal }) => {
    const request = new Request(url, { headers, signal, redirect: 'manual', cache: 'no-store' })
    request.headers.delete('accept-encoding')
    return handle(request)
  }
}

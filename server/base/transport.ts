import 'server-only'
import * as http from 'node:http'
import * as https from 'node:https'
import { type Readable, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

export type UpstreamRequest = { url: string; headers: Record<string, string>; signal: AbortSignal }

/** One GET, answered when its headers are there; the body comes decoded. Follows no redirect, caches nothing. */
export type Transport = (request: UpstreamRequest) => Promise<Response>

/** Most servers close after five seconds: no request may meet a connection that is closing. */
const IDLE_CONNECTION_MS = 4_000
const WITHOUT_BODY = new Set([204, 205, 304])

export function createHttpTransport(): Transport {
  const options = { keepAlive: true, timeout: IDLE_CONNECTION_MS }
  const agents = { 'http:': createAgent('http:', options), 'https:': createAgent('https:', options) }
  return async (request) => {
    const [module, agent] = request.url.startsWith('https:') ? [https, agents['https:']] : [http, agents['http:']]
    const outgoing = module.request(request.url, { headers: request.headers, agent, signal: request.signal })
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) =>
      outgoing.on('error', reject).on('response', resolve).end(),
    )
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
    // An encoding that was not asked for stays named, so that nobody takes the bytes for text.
    const isPacked = /^(?:x-)?gzip$/i.test(headers.get('content-encoding')?.trim() ?? '')
    if (isPacked) headers.delete('content-encoding')
    const body = isPacked ? pipeline(answer, createGunzip(), () => {}) : answer
    return new Response(toWebStream(body), { status, headers })
  }
}

/** Passes the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, as Node reads them. */
export function createAgent(protocol: string, options: https.AgentOptions = {}): http.Agent {
  const given = { ...options, proxyEnv: process.env }
  return protocol === 'https:' ? new https.Agent(given) : new http.Agent(given)
}

/** One chunk at a time, so that a fast sender fills no buffer. */
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

export function createInProcessTransport(handle: (request: Request) => Promise<Response>): Transport {
  return async ({ url, headers, signal }) => {
    const request = new Request(url, { headers, signal, redirect: 'manual', cache: 'no-store' })
    request.headers.delete('accept-encoding')
    return handle(request)
  }
}

import 'server-only'
import * as http from 'node:http'
import * as https from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export type UpstreamRequest = { url: string; headers: Record<string, string>; signal: AbortSignal }

/** One GET, answered when its headers are there; the body comes decoded. Follows no redirect, caches nothing. */
export type Transport = (request: UpstreamRequest) => Promise<Response>

export function createHttpTransport(): Transport {
  // Most servers close after five seconds: no request may meet a connection that is closing.
  const options = { keepAlive: true, timeout: 4_000 }
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
    if ([204, 205, 304].includes(status)) {
      answer.resume()
      return new Response(null, { status, headers })
    }
    // An encoding that was not asked for stays named, so that nobody takes the bytes for text.
    const isPacked = /^(?:x-)?gzip$/i.test(headers.get('content-encoding')?.trim() ?? '')
    if (isPacked) headers.delete('content-encoding')
    const body = isPacked ? pipeline(answer, createGunzip(), () => {}) : answer
    // Read one chunk at a time, so that a fast sender fills no buffer.
    const stream = Readable.toWeb(body, { strategy: { highWaterMark: 0 } }) as ReadableStream<Uint8Array>
    return new Response(stream, { status, headers })
  }
}

/** Passes the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, as Node reads them. */
export function createAgent(protocol: string, options: https.AgentOptions = {}): http.Agent {
  const given = { ...options, proxyEnv: process.env }
  return protocol === 'https:' ? new https.Agent(given) : new http.Agent(given)
}

export function createInProcessTransport(handle: (request: Request) => Promise<Response>): Transport {
  return async ({ url, headers, signal }) => {
    const request = new Request(url, { headers, signal, redirect: 'manual', cache: 'no-store' })
    request.headers.delete('accept-encoding')
    return handle(request)
  }
}

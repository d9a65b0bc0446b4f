import * as http from 'node:http'
import * as https from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export type UpstreamRequest = { url: string; headers: Record<string, string>; signal: AbortSignal }

/** Sends a GET and resolves with its headers; the body is decoded as it is read. Follows no redirect, caches nothing. */
export type Transport = (request: UpstreamRequest) => Promise<Response>

export function createHttpTransport(): Transport {
  // Most servers close idle connections after five seconds. Closing them after four keeps a request from meeting a closing one.
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
    // An unknown content-encoding keeps its header, so that the bytes are not read as text.
    const isPacked = /^(?:x-)?gzip$/i.test(headers.get('content-encoding')?.trim() ?? '')
    if (isPacked) headers.delete('content-encoding')
    const body = isPacked ? pipeline(answer, createGunzip(), () => {}) : answer
    // The body is read one chunk at a time, so that a fast sender fills no buffer.
    const stream = Readable.toWeb(body, { strategy: { highWaterMark: 0 } }) as ReadableStream<Uint8Array>
    return new Response(stream, { status, headers })
  }
}

/** Requests go through the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, as Node reads them. */
export function createAgent(protocol: string, options: https.AgentOptions = {}): http.Agent {
  const withProxy = { ...options, proxyEnv: process.env }
  return protocol === 'https:' ? new https.Agent(withProxy) : new http.Agent(withProxy)
}

export function createInProcessTransport(handle: (request: Request) => Promise<Response>): Transport {
  return async ({ url, headers, signal }) => {
    const request = new Request(url, { headers, signal, redirect: 'manual', cache: 'no-store' })
    request.headers.delete('accept-encoding')
    return handle(request)
  }
}

import * as http from 'node:http'
import * as https from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export type UpstreamRequest = { url: string; headers: Record<string, string>; signal: AbortSignal }

/** Sends a GET, without redirects or a cache, and resolves when the headers arrive. The body is decoded as it is read. */
export type Transport = (request: UpstreamRequest) => Promise<Response>

export function createHttpTransport(): Transport {
  // Most servers close idle connections after five seconds; ours close earlier, so that no request goes to a closing one.
  const agentOptions = { keepAlive: true, timeout: 4_000 }
  const agents = { 'http:': createAgent('http:', agentOptions), 'https:': createAgent('https:', agentOptions) }
  return async ({ url, headers: requestHeaders, signal }) => {
    const protocol = url.startsWith('https:') ? 'https:' : 'http:'
    const client = protocol === 'https:' ? https : http
    const outgoing = client.request(url, { headers: requestHeaders, agent: agents[protocol], signal })
    const response = await new Promise<http.IncomingMessage>((resolve, reject) =>
      outgoing.on('error', reject).on('response', resolve).end(),
    )
    const status = response.statusCode ?? 0
    // `Response` throws for any other status, which would leave the connection open.
    if (status < 200 || status > 599) {
      response.destroy()
      throw new Error(`status ${status}`)
    }
    const headers = new Headers()
    for (const name of ['etag', 'last-modified', 'retry-after', 'date']) {
      const value = response.headers[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    if ([204, 205, 304].includes(status)) {
      response.resume()
      return new Response(null, { status, headers })
    }
    const isGzipped = /^(?:x-)?gzip$/i.test(response.headers['content-encoding']?.trim() ?? '')
    // `pipeline` passes a failure on to the body, so its callback has nothing to do.
    const body = isGzipped ? pipeline(response, createGunzip(), () => {}) : response
    // The body is read one chunk at a time, so that a fast sender fills no buffer.
    const stream = Readable.toWeb(body, { strategy: { highWaterMark: 0 } }) as ReadableStream<Uint8Array>
    return new Response(stream, { status, headers })
  }
}

/** Creates an agent that goes through the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, as Node reads them. */
export function createAgent(protocol: string, options: https.AgentOptions = {}): http.Agent {
  const withProxy = { ...options, proxyEnv: process.env }
  return protocol === 'https:' ? new https.Agent(withProxy) : new http.Agent(withProxy)
}

export function createInProcessTransport(handle: (request: Request) => Promise<Response>): Transport {
  return async ({ url, headers, signal }) => {
    const request = new Request(url, { headers, signal })
    // The body never leaves this process, so it needs no compression.
    request.headers.delete('accept-encoding')
    return handle(request)
  }
}

import 'server-only'
import type { DemoService } from './demo-service'

/** The external service at this origin, in demo mode only. Connected, there is no such thing here: 404. */
export async function serveDemo({ demo }: { demo: DemoService | null }, request: Request): Promise<Response> {
  return demo ? demo.handle(uncompressed(request)) : Response.json({ error: 'Not Found' }, { status: 404 })
}

/** Next compresses whatever leaves this origin; what came compressed already would leave compressed twice. */
function uncompressed(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('accept-encoding', 'identity')
  // Next's request is a proxy that cannot be copied as a whole; no endpoint of the service reads a body.
  return new Request(request.url, { method: request.method, headers, signal: request.signal })
}

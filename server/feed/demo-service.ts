import 'server-only'
import { createDemoService } from '@/reference-service/demo'

/** The single edge to the reference service, which serves the demo in this process. */
export type DemoService = ReturnType<typeof createDemoService>
export { createDemoService }

/** The external service at this origin, in demo mode only; connected it is 404. */
export async function serveDemo({ demo }: { demo: DemoService | null }, request: Request): Promise<Response> {
  if (demo === null) return Response.json({ error: 'Not Found' }, { status: 404 })
  const headers = new Headers(request.headers)
  // Next compresses what leaves this origin; what is compressed already would leave compressed twice.
  headers.set('accept-encoding', 'identity')
  // Next's request is a proxy that cannot be copied as a whole; no endpoint of the service reads a body.
  return demo.handle(new Request(request.url, { method: request.method, headers, signal: request.signal }))
}

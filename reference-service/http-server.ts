import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { ReferenceService } from './service'

/** Only this machine can reach the service. Port 0 is any free one. */
export async function listen(service: ReferenceService, port: number) {
  const server = createServer(
    { requireHostHeader: false },
    getRequestListener(
      (request, { incoming }) => service.handle(request, { reset: () => incoming.socket.resetAndDestroy() }),
      {
        hostname: 'localhost',
        overrideGlobalObjects: false,
        // What came is no HTTP request, or its caller has gone.
        errorHandler: () => Response.json({ error: 'Bad Request' }, { status: 400 }),
      },
    ),
  )
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { ReferenceService } from './service'

/** Listens on this machine only. Port 0 stands for any free one. */
export async function listen(service: ReferenceService, port: number) {
  const server = createServer(
    { requireHostHeader: false },
    getRequestListener(
      (request, { incoming }) => service.handle(request, { reset: () => incoming.socket.resetAndDestroy() }),
      {
        hostname: 'localhost',
        overrideGlobalObjects: false,
        // Called when the request was no valid HTTP, or the caller has disconnected.
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

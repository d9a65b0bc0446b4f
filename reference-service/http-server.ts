import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { ReferenceService } from './service'

export type RunningServer = { port: number; close(): Promise<void> }

export function listen(service: ReferenceService, { port, host }: { port: number; host: string }) {
  const server = createServer(
    { requireHostHeader: false },
    getRequestListener(
      (request, { incoming }) => service.handle(request, { reset: () => incoming.socket.resetAndDestroy() }),
      {
        hostname: 'localhost',
        overrideGlobalObjects: false,
        // No request at all, or its caller has gone.
        errorHandler: () => Response.json({ error: 'Bad Request' }, { status: 400 }),
      },
    ),
  )
  return new Promise<RunningServer>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') return reject(new Error('not listening on a port'))
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed())
          server.closeAllConnections()
        })
      resolve({ port: address.port, close })
    })
  })
}

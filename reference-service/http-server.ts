import { createServer, type Server } from 'node:http'
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
  server.on('clientError', (_, socket) => {
    const body = JSON.stringify({ error: 'Bad Request' })
    const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`
    if (socket.writable) socket.end(`${head}\r\n\r\n${body}`)
  })
  return new Promise<RunningServer>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') return reject(new Error('not listening on a port'))
      resolve({ port: address.port, close: () => close(server) })
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'

export type Handle = (request: Request) => Promise<Response>

/** Listens on this machine only. Port 0 stands for any free one. */
export async function listen(handle: Handle, port: number) {
  const server = createServer(getRequestListener(handle, { overrideGlobalObjects: false }))
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

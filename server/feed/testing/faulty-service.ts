import 'server-only'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach } from 'vitest'

type FaultyService = {
  url: string
  requests: IncomingMessage[]
  stop(): Promise<void>
}

export async function startFaultyService(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<FaultyService> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function faultyServices(): typeof startFaultyService {
  const running: FaultyService[] = []
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop()
  })
  return async (answer) => {
    const service = await startFaultyService(answer)
    running.push(service)
    return service
  }
}

type Answer = { status?: number; headers?: Record<string, string | number>; body?: string | Uint8Array }

export function answerWith({ status = 200, headers = {}, body = '' }: Answer): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
}

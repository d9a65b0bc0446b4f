import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { createHttpTransport } from '@/server/base/transport'
import { createUpstreamClient, type UpstreamClientOptions } from '../client'
import { createUnlimitedBudget } from './budget-doubles'

export const NOW = 1_800_000_000_000

export function createTestClient(baseUrl: string, options: Partial<UpstreamClientOptions> = {}) {
  const budget = createUnlimitedBudget()
  const defaults = { token: 'secret', transport: createHttpTransport(), budget, clock: { now: () => NOW } }
  return { client: createUpstreamClient({ baseUrl, ...defaults, ...options }), budget }
}

/** Starts services that are stopped when the test that started them ends. */
export function createServiceStarter() {
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
  return async (answer: (response: ServerResponse, request: IncomingMessage) => void) => {
    const requests: IncomingMessage[] = []
    const server = createServer((request, response) => {
      requests.push(request)
      answer(response, request)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const stop = () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }
    stops.push(stop)
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, stop }
  }
}

type Answer = { status?: number; headers?: Record<string, string | number>; body?: string | Uint8Array }

export function createAnswer({ status = 200, headers = {}, body = '' }: Answer): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
}

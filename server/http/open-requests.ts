import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

export type OpenRequests = ReturnType<typeof watchRequests>

export type BegunRequest = { request: IncomingMessage; response: ServerResponse; server: Server }

/** Under way until the last byte has left. `enter` is the front door; what it answers is called at the end. */
export function watchRequests(enter?: (request: BegunRequest) => () => void) {
  const servers = new Set<Server>()
  const open = new Set<ServerResponse>()
  let isLeaving = false
  let newest = 0
  subscribe('http.server.request.start', (message) => {
    const request = message as BegunRequest
    const { response, server } = request
    servers.add(server)
    open.add(response)
    newest += 1
    const end = enter?.(request)
    response.once('close', () => {
      open.delete(response)
      end?.()
    })
    if (isLeaving) sayGoodbye(response)
  })
  const isStream = (response: ServerResponse) =>
    String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')
  const underWay = () => [...open].filter((response) => !isStream(response)).length
  return {
    underWay,
    /** From now on answers close their connection, so that a proxy uses another instance next. */
    leave: (): void => {
      isLeaving = true
      open.forEach(sayGoodbye)
    },
    stopListening: (): void => {
      // http.Server's own close cuts idle connections, on which a request may be on its way.
      for (const server of servers) Listener.prototype.close.call(server)
    },
    quiet: async (quietMs: number, maxMs: number): Promise<number> => {
      const from = performance.now()
      let calm = { since: from, newest }
      while (performance.now() - from < maxMs) {
        if (underWay() > 0 || calm.newest !== newest) calm = { since: performance.now(), newest }
        else if (performance.now() - calm.since >= quietMs) break
        await setTimeout(25)
      }
      return underWay()
    },
    closeIdle: async (): Promise<void> => {
      await setImmediate()
      for (const server of servers) server.closeIdleConnections()
    },
  }
}

function sayGoodbye(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

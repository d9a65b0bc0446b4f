import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

export type OpenRequests = ReturnType<typeof trackOpenRequests>

export type StartedRequest = { request: IncomingMessage; response: ServerResponse; server: Server }

/** Under way until the last byte has left. `enter` is the front door; what it answers is called at the end. */
export function trackOpenRequests(onStart?: (request: StartedRequest) => () => void) {
  const servers = new Set<Server>()
  const open = new Set<ServerResponse>()
  let isClosing = false
  let startedCount = 0
  subscribe('http.server.request.start', (message) => {
    const request = message as StartedRequest
    const { response, server } = request
    servers.add(server)
    open.add(response)
    startedCount += 1
    const end = onStart?.(request)
    response.once('close', () => {
      open.delete(response)
      end?.()
    })
    if (isClosing) closeAfterResponse(response)
  })
  const isStream = (response: ServerResponse) =>
    String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')
  const countOpenRequests = () => [...open].filter((response) => !isStream(response)).length
  return {
    countOpenRequests: countOpenRequests,
    /** From now on answers close their connection, so that a proxy uses another instance next. */
    disableKeepAlive: (): void => {
      isClosing = true
      open.forEach(closeAfterResponse)
    },
    stopListening: (): void => {
      // http.Server's own close cuts idle connections, on which a request may be on its way.
      for (const server of servers) Listener.prototype.close.call(server)
    },
    waitUntilQuiet: async (quietMs: number, maxMs: number): Promise<number> => {
      const from = performance.now()
      let calm = { since: from, newest: startedCount }
      while (performance.now() - from < maxMs) {
        if (countOpenRequests() > 0 || calm.newest !== startedCount)
          calm = { since: performance.now(), newest: startedCount }
        else if (performance.now() - calm.since >= quietMs) break
        await setTimeout(25)
      }
      return countOpenRequests()
    },
    closeIdle: async (): Promise<void> => {
      await setImmediate()
      for (const server of servers) server.closeIdleConnections()
    },
  }
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

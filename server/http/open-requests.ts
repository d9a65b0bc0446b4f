import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'

export type OpenRequests = ReturnType<typeof trackOpenRequests>

export type StartedRequest = { request: IncomingMessage; response: ServerResponse; server: Server }

const POLL_MS = 25

/** Tracks each request until its response is sent or cut, and then calls the function that `onStart` returned. */
export function trackOpenRequests(onStart: (request: StartedRequest) => () => void) {
  const servers = new Set<Server>()
  const openResponses = new Set<ServerResponse>()
  let isClosing = false
  let startedCount = 0
  subscribe('http.server.request.start', (message) => {
    const startedRequest = message as StartedRequest
    const { response, server } = startedRequest
    servers.add(server)
    openResponses.add(response)
    startedCount += 1
    const onEnd = onStart(startedRequest)
    response.once('close', () => {
      openResponses.delete(response)
      onEnd()
    })
    if (isClosing) closeAfterResponse(response)
  })
  const isStream = (response: ServerResponse) =>
    String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')
  // Event streams do not count, because they never end by themselves.
  const countOpenRequests = () => [...openResponses].filter((response) => !isStream(response)).length
  return {
    countOpenRequests,
    /** From now on responses close their connection, so that a proxy uses another instance next. */
    disableKeepAlive: (): void => {
      isClosing = true
      openResponses.forEach(closeAfterResponse)
    },
    stopListening: (): void => {
      // `http.Server` would also cut idle connections, on which a request may be on its way.
      for (const server of servers) NetServer.prototype.close.call(server)
    },
    /** Resolves after `quietMs` without a request, at the latest after `maxMs`, with how many are still open. */
    waitUntilQuiet: async (quietMs: number, maxMs: number): Promise<number> => {
      const startedAt = performance.now()
      let lastBusy = { atMs: startedAt, startedCount }
      while (performance.now() - startedAt < maxMs) {
        const isBusy = countOpenRequests() > 0 || lastBusy.startedCount !== startedCount
        if (isBusy) lastBusy = { atMs: performance.now(), startedCount }
        else if (performance.now() - lastBusy.atMs >= quietMs) break
        await wait(POLL_MS)
      }
      return countOpenRequests()
    },
    closeIdle: async (): Promise<void> => {
      // Requests that have arrived are read first, so that their connections are not taken for idle ones.
      await setImmediate()
      for (const server of servers) server.closeIdleConnections()
    },
  }
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

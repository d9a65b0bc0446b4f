import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import type { Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

export type OpenRequests = ReturnType<typeof watchRequests>

type Begun = { response: ServerResponse; server: Server }

const LOOK_MS = 25

/**
 * The requests of this process that are under way, and how they come to an end: pages, routes and files alike, until the
 * last byte of the answer has left. Node tells of each with its server, which is Next's own (`http.server.request.start`).
 */
export function watchRequests() {
  const servers = new Set<Server>()
  const open = new Set<ServerResponse>()
  let isLeaving = false
  let newest = 0
  subscribe('http.server.request.start', (message) => {
    const { response, server } = message as Begun
    servers.add(server)
    open.add(response)
    newest += 1
    response.once('close', () => open.delete(response))
    if (isLeaving) sayGoodbye(response)
  })
  const underWay = () => [...open].filter((response) => !isStream(response)).length
  return {
    /** Without live streams, which would never end. */
    underWay,
    /** From now on each answer closes its connection, so that a proxy takes another instance for its next request. */
    leave: (): void => {
      isLeaving = true
      open.forEach(sayGoodbye)
    },
    /** No new connections; those that are open are still answered. */
    stopListening: async (): Promise<void> => {
      await emptyDoorstep()
      // Not what http.Server makes of it: that cuts idle connections, on which the next request may be on its way.
      for (const server of servers) Listener.prototype.close.call(server)
    },
    /** Resolves when nothing was under way and nothing came for `quietMs`, or after `mostMs`; answers what is left. */
    quiet: async (quietMs: number, mostMs: number): Promise<number> => {
      const from = performance.now()
      let calm = { since: from, newest }
      while (performance.now() - from < mostMs) {
        if (underWay() > 0 || calm.newest !== newest) calm = { since: performance.now(), newest }
        else if (performance.now() - calm.since >= quietMs) break
        await setTimeout(LOOK_MS)
      }
      return underWay()
    },
    closeIdle: async (): Promise<void> => {
      await setImmediate()
      for (const server of servers) server.closeIdleConnections()
    },
  }
}

const DOORSTEP_MS = 1_000
const SHORT_TURN_MS = 1

/**
 * Closing a listener resets the connections that the kernel has for it and Node has not taken yet. They are taken once in each
 * turn of the event loop, so right after a turn in which next to nothing was done there are hardly any.
 */
async function emptyDoorstep(): Promise<void> {
  const until = performance.now() + DOORSTEP_MS
  let turnedAt = 0
  do {
    turnedAt = performance.now()
    await setImmediate()
  } while (performance.now() - turnedAt > SHORT_TURN_MS && performance.now() < until)
}

function sayGoodbye(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

function isStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')
}

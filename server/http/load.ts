import 'server-only'
import { NotReadyError } from '@/server/errors'
import { oncePerProcess } from '@/server/once-per-process'

export type Load = ReturnType<typeof createLoad>

/** Changes are admitted when reads are refused already. */
export type RequestKind = 'page' | 'read' | 'change'

const MAX_IN_FLIGHT: Record<RequestKind, number> = { page: 80, read: 250, change: 1_000 }
/** How long (ms) requests may keep the process from its timers; a page takes ten times as long as a route. */
const MAX_LATENCY_MS: Record<RequestKind, number> = { page: 1_000, read: 2_000, change: 10_000 }
/** With fewer it is not a crowd but a sleeping machine or its collector. */
const MIN_CROWD = 20
const MIN_WAIT_SECONDS = 2
const WAIT_SPREAD_SECONDS = 6

type LoadOptions = {
  random?: () => number
  monotonic?: () => number
}

/**
 * Refuses what is too much, each with another time to come back. `tick` (a timer) shows how long Node has not
 * looked at its timers: meanwhile a crowd waits uncounted in the sockets.
 */
export function createLoad({ random = Math.random, monotonic = () => performance.now() }: LoadOptions = {}) {
  const underWay: Record<RequestKind, number> = { page: 0, read: 0, change: 0 }
  let refused = 0
  let lastTick = { at: monotonic(), begun: 0 }
  const count = (kind: RequestKind): (() => void) => {
    underWay[kind] += 1
    lastTick.begun += 1
    return () => {
      underWay[kind] -= 1
    }
  }
  const isOverloaded = (kind: RequestKind): boolean => {
    const all = kind === 'change' ? underWay.read + underWay.change : underWay[kind]
    return all > MAX_IN_FLIGHT[kind] || (lastTick.begun > MIN_CROWD && monotonic() - lastTick.at > MAX_LATENCY_MS[kind])
  }
  const retrySeconds = (kind: RequestKind): number | null => {
    if (!isOverloaded(kind)) return null
    refused += 1
    return MIN_WAIT_SECONDS + Math.floor(random() * WAIT_SPREAD_SECONDS)
  }
  return {
    begin: (kind: Exclude<RequestKind, 'page'>): (() => void) => {
      const end = count(kind)
      const wait = retrySeconds(kind)
      if (wait === null) return end
      end()
      throw new NotReadyError('Too many requests at once', wait)
    },
    count,
    retrySeconds,
    tick: (): void => {
      lastTick = { at: monotonic(), begun: 0 }
    },
    underWay: (): number => underWay.page + underWay.read + underWay.change,
    turnedAway: (): number => refused,
  }
}

const TICK_MS = 100

export const processLoad = oncePerProcess('load', () => {
  const load = createLoad()
  setInterval(load.tick, TICK_MS).unref()
  return load
})

export function isPage(address: string): boolean {
  return !NO_PAGE.test(address)
}

const NO_PAGE =
  /^\/(?:(?:api|external|_next)(?:[/?]|$)|[\w./-]+\.(?:css|ico|jpg|js|json|png|svg|txt|webmanifest|woff2)(?:\?|$))/

import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import { NotReadyError } from '@/server/errors'

export type Load = ReturnType<typeof createLoad>

/** What somebody decides is let in when nobody's reading is any more. */
export type RequestKind = 'page' | 'read' | 'change'

/** One more at once would only make all of them late. */
const MOST: Record<RequestKind, number> = { page: 80, read: 250, change: 1_000 }
/** For how long (ms) one request after the other may keep the process from looking up; pages take ten times as long as routes. */
const LONGEST: Record<RequestKind, number> = { page: 1_000, read: 2_000, change: 10_000 }
/** Fewer are no crowd: then it is the process that was held up, by a sleeping machine or its collector. */
const CROWD = 20
const LEAST_WAIT_SECONDS = 2
const WAIT_SPREAD_SECONDS = 6

type LoadOptions = {
  random?: () => number
  /** Milliseconds on a clock that never steps. */
  monotonic?: () => number
}

/**
 * How many requests are under way. What is too many is turned away before anything is done for it, with a time to come back
 * that differs from one to the next: late, evenly, instead of never.
 *
 * Most of a crowd waits where nobody can count it, in the sockets: Node works off whatever has come in before it looks at its
 * timers again. So `tick`, called by a timer, tells how long the process has been at it.
 */
export function createLoad({ random = Math.random, monotonic = () => performance.now() }: LoadOptions = {}) {
  const underWay: Record<RequestKind, number> = { page: 0, read: 0, change: 0 }
  let turnedAway = 0
  let lastTick = { at: monotonic(), begun: 0 }
  const count = (kind: RequestKind): (() => void) => {
    underWay[kind] += 1
    lastTick.begun += 1
    return () => {
      underWay[kind] -= 1
    }
  }
  const isTooMuch = (kind: RequestKind): boolean => {
    const all = kind === 'change' ? underWay.read + underWay.change : underWay[kind]
    return all > MOST[kind] || (lastTick.begun > CROWD && monotonic() - lastTick.at > LONGEST[kind])
  }
  /** For a request that is counted already: null when there is room for it, else the seconds after which to come back. */
  const waitSeconds = (kind: RequestKind): number | null => {
    if (!isTooMuch(kind)) return null
    turnedAway += 1
    return LEAST_WAIT_SECONDS + Math.floor(random() * WAIT_SPREAD_SECONDS)
  }
  return {
    /** Begins a request of a route and answers what ends it; NotReadyError when there are too many. */
    begin: (kind: Exclude<RequestKind, 'page'>): (() => void) => {
      const end = count(kind)
      const wait = waitSeconds(kind)
      if (wait === null) return end
      end()
      throw new NotReadyError('Too many requests at once', wait)
    },
    count,
    waitSeconds,
    tick: (): void => {
      lastTick = { at: monotonic(), begun: 0 }
    },
    underWay: (): number => underWay.page + underWay.read + underWay.change,
    /** Since the start. */
    turnedAway: (): number => turnedAway,
  }
}

const TICK_MS = 100
const KEY = Symbol.for('intag.load')

/** The load of this process, one for pages, routes and the proxy, which Next loads apart from each other. */
export function processLoad(): Load {
  const known = (globalThis as { [KEY]?: Load })[KEY]
  if (known) return known
  const load = createLoad()
  setInterval(load.tick, TICK_MS).unref()
  Reflect.set(globalThis, KEY, load)
  return load
}

type Begun = { request: { url: string }; response: { once: (event: 'close', run: () => void) => void } }

/** Counts each page until its answer has been sent or called off, which only the HTTP server of this process knows. */
export function countPages(load: Load): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as Begun
    if (isPage(request.url)) response.once('close', load.count('page'))
  })
}

/** Whether somebody sees what this address answers as a screen; it may have a query. */
export function isPage(address: string): boolean {
  return !NO_PAGE.test(address)
}

const NO_PAGE =
  /^\/(?:(?:api|external|_next)(?:[/?]|$)|[\w./-]+\.(?:css|ico|jpg|js|json|png|svg|txt|webmanifest|woff2)(?:\?|$))/

import { Counter, Histogram, type Registry } from 'prom-client'
import { endpoints } from '@/lib/contract/endpoints'

/** A request whose connection may have closed before its answer. `url` may be personal and is not stored. */
export type AnsweredRequest = { method: string; url: string; status: number; seconds: number }

export type Counters = ReturnType<typeof createCounters>

export function createCounters(registry: Registry) {
  const createCounter = (name: string, labelNames: string[], help: string) =>
    new Counter({ name: `intag_${name}_total`, help, labelNames, registers: [registry] })
  const requests = createCounter(
    'http_requests',
    ['route', 'method', 'status'],
    'Requests answered, by the pattern of their route, method and class of status',
  )
  const durations = new Histogram<string>({
    name: 'intag_http_request_duration_seconds',
    help: 'Seconds from the first byte of a request to the last of its answer; live streams are left out',
    labelNames: ['route', 'method'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const upstreamRequests = createCounter(
    'upstream_requests',
    ['purpose', 'outcome'],
    'What this instance asked of the service, and what came of it; no-budget: nothing was sent',
  )
  const mails = createCounter(
    'mails',
    ['purpose', 'outcome'],
    'Mails handed to the SMTP server, by purpose and what came of it; unknown: the connection broke, and it may have left',
  )
  const signIns = createCounter('sign_ins', ['way', 'outcome'], 'Tries to sign in, by way and outcome')
  return {
    countRequest: ({ method, url, status, seconds }: AnsweredRequest): void => {
      const route = labelRoute(url)
      requests.inc({ route, method, status: `${Math.floor(status / 100)}xx` })
      // A live stream stays open as long as its tab, so its duration says nothing.
      if (route !== '/api/events') durations.observe({ route, method }, seconds)
    },
    countUpstreamRequest: (purpose: 'list' | 'lookup', outcome: string) => upstreamRequests.inc({ purpose, outcome }),
    countSignIn: (method: 'password' | 'provider', outcome: string) => signIns.inc({ way: method, outcome }),
    countMail: (purpose: string, outcome: string) => mails.inc({ purpose, outcome }),
  }
}

/** Turns the path of a route file, `/api/notes/[id]`, into `/api/notes/:id`. */
export function toRoutePattern(path: string): string {
  return path.replaceAll(/\[(\w+)\]/g, ':$1')
}

const ROUTE_PATTERNS = new Set(Object.keys(endpoints).map((name) => toRoutePattern(name.slice(name.indexOf('/')))))
const ID_ROUTE_PATTERNS = [...ROUTE_PATTERNS]
  .filter((pattern) => pattern.includes(':'))
  .map((pattern) => ({ pattern, regExp: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`) }))

/** Returns the pattern of an endpoint, `page` or `other`. Labels hold no text of the request, which may be personal. */
export function labelRoute(url: string): string {
  const [path = '/'] = url.split('?', 1)
  if (ROUTE_PATTERNS.has(path)) return path
  const pattern = ID_ROUTE_PATTERNS.find(({ regExp }) => regExp.test(path))?.pattern
  const [prefix] = /^(?:\/_next|\/external|\/api\/auth)(?=\/)/.exec(path) ?? []
  return pattern ?? prefix ?? (/^\/api(?:\/|$)|\.\w+$/.test(path) ? 'other' : 'page')
}

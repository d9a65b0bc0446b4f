import 'server-only'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { ProviderCheck } from '@/server/access/provider-check'
import type { SignIn, SignInResult } from '@/server/access/sign-in'
import type { Mailer } from '@/server/replies/mailer'
import { NotReadyError } from './errors'
import type { AnsweredRequest } from '@/server/http/front-door'
import type { UpstreamClient } from '@/server/feed/client'
import { endpoints } from '@/lib/contract/endpoints'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** Open as long as its tab: its duration means nothing. */
const STREAM = '/api/events'

export type Counters = ReturnType<typeof createCounters>

/** What this process has counted since its start. */
export function createCounters(registry: Registry) {
  const metrics = registerMetrics(registry)
  return {
    answered: ({ method, url, status, seconds }: AnsweredRequest): void => {
      const route = routeLabel(url)
      metrics.requests.inc({ route, method, status: `${Math.floor(status / 100)}xx` })
      if (route !== STREAM) metrics.durations.observe({ route, method }, seconds)
    },
    countClient: (client: UpstreamClient): UpstreamClient => countClient(metrics.sent, client),
    countSignIn: (signIn: SignIn): SignIn => ({
      withPassword: (credentials) => countSignIn(metrics.signIns, 'password', signIn.withPassword(credentials)),
    }),
    countMail: (mailer: Mailer): Mailer => ({
      ...mailer,
      send: async (mail) => {
        const delivery = await mailer.send(mail)
        metrics.mails.inc({ purpose: mail.purpose, outcome: delivery.ok ? 'sent' : delivery.kind })
        return delivery
      },
    }),
    countProvider: (check: ProviderCheck): ProviderCheck => ({
      ...check,
      succeeded: () => {
        metrics.signIns.inc({ way: 'provider', outcome: 'accepted' })
        check.succeeded()
      },
      failed: (error, isReal) => {
        metrics.signIns.inc({ way: 'provider', outcome: error.cause })
        return check.failed(error, isReal)
      },
    }),
  }
}

function registerMetrics(registry: Registry) {
  const counter = (name: string, labelNames: string[], help: string) =>
    new Counter({ name: `intag_${name}_total`, help, labelNames, registers: [registry] })
  return {
    requests: counter(
      'http_requests',
      ['route', 'method', 'status'],
      'Requests answered, by the pattern of their route, method and class of status',
    ),
    durations: new Histogram<string>({
      name: 'intag_http_request_duration_seconds',
      help: 'Seconds from the first byte of a request to the last of its answer; live streams are left out',
      labelNames: ['route', 'method'],
      buckets: BUCKETS,
      registers: [registry],
    }),
    sent: counter(
      'upstream_requests',
      ['purpose', 'outcome'],
      'What this instance asked of the service, and what came of it; no-budget: nothing was sent',
    ),
    mails: counter(
      'mails',
      ['purpose', 'outcome'],
      'Mails handed to the SMTP server, by purpose and what came of it; unsure: the connection broke after the text was given',
    ),
    signIns: counter('sign_ins', ['way', 'outcome'], 'Tries to sign in, by way and outcome'),
  }
}

function countClient(sent: Counter, { fetchList, fetchHighSchool }: UpstreamClient): UpstreamClient {
  return {
    fetchList: async (list, options) => {
      const result = await fetchList(list, options)
      const answered = result.ok && result.notModified ? 'not-modified' : 'ok'
      sent.inc({ purpose: 'list', outcome: result.ok ? answered : result.kind })
      return result
    },
    fetchHighSchool: async (id) => {
      const result = await fetchHighSchool(id)
      sent.inc({ purpose: 'lookup', outcome: result.ok ? 'ok' : result.kind })
      return result
    },
  }
}

async function countSignIn(signIns: Counter, way: string, result: Promise<SignInResult>): Promise<SignInResult> {
  try {
    const found = await result
    signIns.inc({ way, outcome: found.ok ? 'accepted' : found.reason })
    return found
  } catch (error) {
    signIns.inc({ way, outcome: error instanceof NotReadyError ? 'busy' : 'failed' })
    throw error
  }
}

/** A path as the files spell it, by the names of its parts: `/api/notes/:id`. */
export function patternOf(path: string): string {
  return path.replaceAll(/\[(\w+)\]/g, ':$1')
}

const PATTERNS = new Set(Object.keys(endpoints).map((name) => patternOf(name.slice(name.indexOf('/')))))
const WITH_ID = [...PATTERNS]
  .filter((pattern) => pattern.includes(':'))
  .map((pattern) => ({ pattern, matches: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`) }))
const OPEN_ENDED = /^(?:\/_next|\/external|\/api\/auth)(?=\/)/
const NO_PAGE = /^\/api(?:\/|$)|\.\w+$/

/** The pattern of an endpoint, `page` or `other`; never text of the request itself. */
export function routeLabel(url: string): string {
  const [path = '/'] = url.split('?', 1)
  if (PATTERNS.has(path)) return path
  const found = WITH_ID.find(({ matches }) => matches.test(path))?.pattern ?? OPEN_ENDED.exec(path)?.[0]
  return found ?? (NO_PAGE.test(path) ? 'other' : 'page')
}

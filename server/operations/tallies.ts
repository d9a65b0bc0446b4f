import 'server-only'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { ProviderCheck } from '@/server/access/provider-check'
import type { SignIn, SignInResult } from '@/server/access/sign-in'
import type { Mailer } from '@/server/desk/mailer'
import { NotReadyError } from '@/server/errors'
import type { FetchRecord } from '@/server/feed/list-state'
import type { AnsweredRequest } from '@/server/http/front-door'
import type { UpstreamClient } from '@/server/upstream/client'
import { withSpan } from '@/server/with-span'
import { endpoints } from '@/lib/contract/endpoints'

export type Tallies = ReturnType<typeof createTallies>

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** Open as long as its tab: its duration means nothing. */
const STREAM = '/api/events'
const FETCH = 'ask the service'

export function createTallies() {
  const counters = createCounters()
  const seen = new Map<string, FetchRecord>()
  return {
    register: (registry: Registry): void => {
      for (const counter of Object.values(counters)) registry.registerMetric(counter)
    },
    answered: ({ method, url, status, seconds }: AnsweredRequest): void => {
      const label = routeLabel(url)
      counters.requests.inc({ route: label, method, status: `${Math.floor(status / 100)}xx` })
      if (label !== STREAM) counters.durations.observe({ route: label, method }, seconds)
    },
    /** The newest record of a list; the same record counts once. */
    fetched: (list: string, record: FetchRecord | undefined): void => {
      if (record === undefined || seen.get(list) === record) return
      seen.set(list, record)
      counters.fetches.inc({ list, outcome: record.outcome })
    },
    databaseError: (kind: 'unreachable' | 'refused'): void => counters.databaseErrors.inc({ kind }),
    ...countingParts(counters),
  }
}

function countingParts(counters: Counters) {
  return {
    countClient: (client: UpstreamClient): UpstreamClient => ({
      fetchList: async (list, options) => {
        const work = () => client.fetchList(list, options)
        return countResult(counters, 'list', await withSpan(FETCH, () => ({ 'intag.list': list }), work))
      },
      fetchHighSchool: async (id) => {
        const work = () => client.fetchHighSchool(id)
        return countResult(counters, 'lookup', await withSpan(FETCH, () => ({}), work))
      },
    }),
    countSignIn: (signIn: SignIn): SignIn => ({
      withPassword: (credentials) => countSignIn(counters, 'password', signIn.withPassword(credentials)),
    }),
    countMail: (mailer: Mailer): Mailer => ({
      ...mailer,
      send: async (mail) => {
        const delivery = await mailer.send(mail)
        counters.mails.inc({ purpose: mail.purpose, outcome: delivery.ok ? 'sent' : delivery.kind })
        return delivery
      },
    }),
    countProvider: (check: ProviderCheck): ProviderCheck => ({
      ...check,
      succeeded: () => {
        counters.signIns.inc({ way: 'provider', outcome: 'accepted' })
        check.succeeded()
      },
      failed: (error, isReal) => {
        counters.signIns.inc({ way: 'provider', outcome: error.cause })
        return check.failed(error, isReal)
      },
    }),
  }
}

type Counters = ReturnType<typeof createCounters>

function createCounters() {
  const counter = (name: string, labelNames: string[], help: string) =>
    new Counter({ name: `intag_${name}_total`, help, labelNames, registers: [] })
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
      registers: [],
    }),
    fetches: counter(
      'list_fetches',
      ['list', 'outcome'],
      'What fetching a list came to, also where another instance fetched it for this one',
    ),
    sent: counter(
      'upstream_requests',
      ['purpose', 'outcome'],
      'What this instance asked of the service, and what came of it; no-budget: nothing was sent',
    ),
    databaseErrors: counter(
      'database_errors',
      ['kind'],
      'Queries that PostgreSQL did not answer (unreachable) or refused',
    ),
    mails: counter(
      'mails',
      ['purpose', 'outcome'],
      'Mails handed to the SMTP server, by purpose and what came of it; unsure: the connection broke after the text was given',
    ),
    signIns: counter('sign_ins', ['way', 'outcome'], 'Tries to sign in, by way and outcome'),
  }
}

type Sent = { ok: true; notModified?: boolean } | { ok: false; kind: string }

function countResult<Result extends Sent>(counters: Counters, purpose: 'list' | 'lookup', result: Result): Result {
  const answered = 'notModified' in result && result.notModified === true ? 'not-modified' : 'ok'
  counters.sent.inc({ purpose, outcome: result.ok ? answered : result.kind })
  return result
}

async function countSignIn(counters: Counters, way: string, result: Promise<SignInResult>): Promise<SignInResult> {
  const count = (outcome: string) => counters.signIns.inc({ way, outcome })
  try {
    const found = await result
    count(found.ok ? 'accepted' : found.reason)
    return found
  } catch (error) {
    count(error instanceof NotReadyError ? 'busy' : 'failed')
    throw error
  }
}

/** A path as the files spell it, by the names of its parts: `/api/notes/:id`. */
export function patternOf(path: string): string {
  return path.replaceAll(/\[(\w+)\]/g, ':$1')
}

const PAGES = ` account admin/activity admin/cycle
  admin/protections admin/status admin/templates admin/users admin/work contacts/:id declarations exports
  help interest invite proof questions queue/:name second-factor signin today welcome`
const SIGN_IN = ['backchannel-logout', 'callback', 'csrf', 'providers', 'session', 'signin', 'signout']

const PATTERNS: readonly string[] = [
  ...new Set(Object.keys(endpoints).map((name) => patternOf(name.slice(name.indexOf('/'))))),
  ...PAGES.split(/\s+/).map((path) => `/${path}`),
  ...SIGN_IN.map((name) => `/api/auth/${name}`),
]
const OPEN_ENDED = /^(?:\/_next|\/external|\/api\/auth\/(?:callback|signin))(?=\/)/

const PLAIN: ReadonlySet<string> = new Set(PATTERNS.filter((pattern) => !/[:[]/.test(pattern)))
const NAMED = PATTERNS.filter((pattern) => pattern.includes(':')).map((pattern) => ({
  pattern,
  matches: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`),
}))

/** The pattern of a request's route; `other` for a path that is none. Never answers text of the request itself. */
export function routeLabel(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (PLAIN.has(path)) return path
  return NAMED.find(({ matches }) => matches.test(path))?.pattern ?? OPEN_ENDED.exec(path)?.[0] ?? 'other'
}

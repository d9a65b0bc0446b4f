import 'server-only'
import type { Counters } from '@/server/base/counters'
import packageJson from '@/package.json'
import type { FeedList } from '@/lib/contract/lists'
import { parsedJson } from '@/server/base/parsed-json'
import type { Budget } from './budget'
import {
  exchange,
  type Exchange,
  type Exchanged,
  type FailedFetch,
  type FoundHighSchool,
  type Timeouts,
  unreadable,
  type Validators,
  type WholeBody,
} from './exchange'
import type { Purpose } from './request-log'
import { readHighSchool } from './service-records'
import type { Transport } from '@/server/base/transport'

export type UpstreamClient = ReturnType<typeof createUpstreamClient>

export type UpstreamClientOptions = {
  baseUrl: string
  token: string
  transport: Transport
  budget: Pick<Budget, 'reserve' | 'backOff'>
  clock: { now(): number }
  timeouts?: Partial<Timeouts & { lookupMs: number }>
  maxBytes?: number
}

const PATHS: Record<FeedList, string> = {
  'asked-questions': '/external/conversions/askedQuestions',
  'declarations-of-interest': '/external/conversions/declarationsOfInterest',
  'high-schools': '/external/highSchools',
}
/** A body that still drips after two minutes would keep the other lists from being asked. */
const TIMEOUTS = { headersMs: 30_000, idleMs: 30_000, overallMs: 120_000, lookupMs: 10_000 }
const MAX_BYTES = 128 * 2 ** 20
const MAX_SCHOOL_BYTES = 2 ** 20
/** After a 429 without Retry-After. */
const BACK_OFF_MS = 60_000

/** Each call sends one request at most. Whatever happens is a value, never an exception. */
export function createUpstreamClient(options: UpstreamClientOptions) {
  const { budget, clock, transport, baseUrl, maxBytes = MAX_BYTES } = options
  const { lookupMs, ...timeouts } = { ...TIMEOUTS, ...options.timeouts }
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    authorization: `Bearer ${options.token}`,
    'user-agent': `Intag/${packageJson.version}`,
  }
  const brief = { ...timeouts, overallMs: Math.min(lookupMs, timeouts.overallMs) }
  const lookup = { headers, validators: {}, timeouts: brief, maxBytes: MAX_SCHOOL_BYTES }

  async function send(purpose: Purpose, request: Exchange): Promise<Exchanged['result'] | FailedFetch> {
    const place = await budget.reserve(purpose)
    if (!place.ok) return { ok: false, kind: 'no-budget', retryAtMs: place.retryAtMs }
    const { result, isComplete } = await exchange(transport, clock, request)
    if (!result.ok && result.kind === 'rate-limited') {
      void budget.backOff(clock.now() + (result.retryAfterMs ?? BACK_OFF_MS))
    }
    void place.finish(isComplete ? 'whole' : 'abandoned')
    return result
  }

  return {
    fetchList: (list: FeedList, { validators = {} }: { validators?: Validators } = {}) =>
      send('list', { url: urlOf(baseUrl, PATHS[list]), headers, validators, timeouts, maxBytes }),
    async fetchHighSchool(id: string): Promise<FoundHighSchool | FailedFetch> {
      const url = `${urlOf(baseUrl, '/external/highSchool')}?id=${encodeURIComponent(id.toWellFormed())}`
      const result = await send('lookup', { url, ...lookup })
      if (!result.ok) return result
      return result.notModified ? unreadable('status 304') : foundHighSchool(id, result)
    },
  }
}

function urlOf(baseUrl: string, path: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}${path}`
}

/** Read by the same rules as a record of the list. */
function foundHighSchool(id: string, { body, startedAt }: WholeBody): FoundHighSchool | FailedFetch {
  const reading = readHighSchool(parsedJson(body))
  if (!reading.ok) return unreadable(`not a high school of the specification (${reading.reason})`)
  if (reading.value.id !== id) return unreadable('another high school than the one asked for')
  return { ok: true, highSchool: reading.value, startedAt }
}

/** The same client, with each request counted by what came of it. */
export function countRequests(client: UpstreamClient, count: Counters['upstreamRequest']): UpstreamClient {
  return {
    fetchList: async (list, options) => {
      const result = await client.fetchList(list, options)
      const answered = result.ok && result.notModified ? 'not-modified' : 'ok'
      count('list', result.ok ? answered : result.kind)
      return result
    },
    fetchHighSchool: async (id) => {
      const result = await client.fetchHighSchool(id)
      count('lookup', result.ok ? 'ok' : result.kind)
      return result
    },
  }
}

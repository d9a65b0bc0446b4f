import 'server-only'
import packageJson from '@/package.json'
import type { FeedList } from '@/lib/contract/lists'
import type { Budget } from './budget'
import { exchange, type Exchange, type Exchanged, type Timeouts } from './exchange'
import { readHighSchool } from './high-school-records'
import {
  type FailedFetch,
  type FoundHighSchool,
  type NotModified,
  unreadable,
  type Validators,
  type WholeBody,
} from './outcome'
import { parsedJson } from './record-checks'
import type { Transport } from './transport'
import type { Purpose } from './windows'

type FetchListOptions = { validators?: Validators; onChunk?: (chunk: Uint8Array) => void }

export type UpstreamClient = {
  fetchList(list: FeedList, options?: FetchListOptions): Promise<WholeBody | NotModified | FailedFetch>
  fetchHighSchool(id: string): Promise<FoundHighSchool | FailedFetch>
}

export type UpstreamClientOptions = {
  baseUrl: string
  token: string
  transport: Transport
  budget: Pick<Budget, 'reserve' | 'backOff'>
  clock: { now(): number }
  timeouts?: Partial<Timeouts & { lookupMs: number }>
  /** Of the decoded body of a list. */
  maxBytes?: number
}

const PATHS: Record<FeedList, string> = {
  'asked-questions': '/external/conversions/askedQuestions',
  'declarations-of-interest': '/external/conversions/declarationsOfInterest',
  'high-schools': '/external/highSchools',
}
/** The largest list comes in seconds; what still drips after two minutes would keep the others from being asked. */
const TIMEOUTS = { headersMs: 30_000, idleMs: 30_000, overallMs: 120_000, lookupMs: 10_000 }
const MOST_BYTES = 128 * 2 ** 20
const MOST_BYTES_OF_A_SCHOOL = 2 ** 20
/** The wait after a 429 that names none. */
const BACK_OFF_MS = 60_000

/** One function, one request at most; whatever happens is a value, never an exception. */
export function createUpstreamClient(options: UpstreamClientOptions): UpstreamClient {
  const { budget, clock, transport } = options
  const { lookupMs, ...timeouts } = { ...TIMEOUTS, ...options.timeouts }
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    authorization: `Bearer ${options.token}`,
    'user-agent': `Intag/${packageJson.version}`,
  }

  async function send(purpose: Purpose, request: Exchange): Promise<Exchanged['result'] | FailedFetch> {
    const place = await budget.reserve(purpose)
    if (!place.ok) return { ok: false, kind: 'no-budget', retryAtMs: place.retryAtMs }
    const { result, isWhole } = await exchange(transport, clock, request)
    if (!result.ok && result.kind === 'rate-limited') {
      void budget.backOff(clock.now() + (result.retryAfterMs ?? BACK_OFF_MS))
    }
    void place.finish(isWhole ? 'whole' : 'abandoned')
    return result
  }

  return {
    fetchList: (list, { validators = {}, onChunk } = {}) =>
      send('list', {
        url: urlOf(options.baseUrl, PATHS[list]),
        headers,
        validators,
        timeouts,
        maxBytes: options.maxBytes ?? MOST_BYTES,
        onChunk,
      }),
    async fetchHighSchool(id) {
      const url = `${urlOf(options.baseUrl, '/external/highSchool')}?id=${encodeURIComponent(id.toWellFormed())}`
      const overallMs = Math.min(lookupMs, timeouts.overallMs)
      const result = await send('lookup', {
        url,
        headers,
        validators: {},
        timeouts: { ...timeouts, overallMs },
        maxBytes: MOST_BYTES_OF_A_SCHOOL,
      })
      if (!result.ok) return result
      return result.notModified ? unreadable('status 304') : foundHighSchool(id, result)
    },
  }
}

/** The prefix of the base URL survives, with or without a slash at its end. */
function urlOf(baseUrl: string, path: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}${path}`
}

/** One school is read as a record of the list is: by the same rules, with the same leniency. */
function foundHighSchool(id: string, { body, startedAt, finishedAt, bytes }: WholeBody): FoundHighSchool | FailedFetch {
  const reading = readHighSchool(parsedJson(body))
  if (!reading.ok) return unreadable(`not a high school of the specification (${reading.reason})`)
  if (reading.value.id !== id) return unreadable('another high school than the one asked for')
  return { ok: true, highSchool: reading.value, startedAt, finishedAt, bytes }
}

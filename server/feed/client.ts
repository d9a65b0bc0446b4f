import type { ProblemKind } from '@/lib/contract/feed-status'
import type { HighSchool } from '@/lib/contract/lead'
import type { FeedList } from '@/lib/contract/lists'
import packageJson from '@/package.json'
import type { Counters } from '@/server/base/counters'
import { createDeadline, type Deadline, TimeoutError } from '@/server/base/deadline'
import { CERTIFICATE_FAULTS, readErrorCode, listCauses } from '@/server/base/error-codes'
import { tryParseJson } from '@/server/base/parse-input'
import type { Transport } from '@/server/base/transport'
import type { Budget } from './budget'
import type { RequestPurpose } from './request-log'
import { readRetryAfterMs, readValidators, type Validators } from './response-headers'
import { readHighSchool } from './service-records'

/** `detail` never repeats what the service sent, nor the token. */
type UpstreamProblem = {
  ok: false
  kind: ProblemKind | 'not-found'
  detail: string
  retryAfterMs?: number | undefined
}
export type FailedFetch = UpstreamProblem | { ok: false; kind: 'no-budget'; retryAtMs: number }

/** `body` is null after a 304: the content is the one that the validators came with. */
type UpstreamAnswer = { ok: true; validators: Validators; body: Uint8Array | null }

/** `idleMs` is the longest pause before the answer and within its body. */
export type RequestLimits = { idleMs: number; overallMs: number; maxBytes: number }

export type UpstreamClient = ReturnType<typeof createUpstreamClient>

export type UpstreamClientOptions = {
  baseUrl: string
  token: string
  transport: Transport
  budget: Pick<Budget, 'reserve' | 'backOff'>
  clock: { now(): number }
  countUpstreamRequest?: Counters['countUpstreamRequest']
  limits?: Partial<RequestLimits>
}

const PATHS: Record<FeedList, string> = {
  'asked-questions': '/external/conversions/askedQuestions',
  'declarations-of-interest': '/external/conversions/declarationsOfInterest',
  'high-schools': '/external/highSchools',
}
/** A body that drips is given up after two minutes, so that the other lists are fetched. */
const LIMITS: RequestLimits = { idleMs: 30_000, overallMs: 120_000, maxBytes: 128 * 2 ** 20 }
const LOOKUP_LIMITS = { overallMs: 10_000, maxBytes: 2 ** 20 }
const DEFAULT_BACK_OFF_MS = 60_000

/** Each method sends one request at most. Every failure is a value, never an exception. */
export function createUpstreamClient(options: UpstreamClientOptions) {
  const { budget, clock, transport, countUpstreamRequest = () => {} } = options
  const limits = { ...LIMITS, ...options.limits }
  const { origin, pathname } = new URL(options.baseUrl)
  const base = `${origin}${pathname.replace(/\/+$/, '')}`
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    authorization: `Bearer ${options.token}`,
    'user-agent': `Intag/${packageJson.version}`,
  }

  async function send(
    purpose: RequestPurpose,
    path: string,
    exchangeOptions: Pick<Exchange, 'limits' | 'validators'>,
  ): Promise<UpstreamAnswer | FailedFetch> {
    const reservation = await budget.reserve(purpose)
    if (!reservation.ok) return { ok: false, kind: 'no-budget', retryAtMs: reservation.retryAtMs }
    const { result, isComplete } = await exchange(transport, clock, { url: base + path, headers, ...exchangeOptions })
    if (!result.ok && result.kind === 'rate-limited') void budget.backOff(result.retryAfterMs ?? DEFAULT_BACK_OFF_MS)
    void reservation.finish(isComplete ? 'complete' : 'abandoned')
    return result
  }

  async function lookUp(id: string): Promise<{ ok: true; highSchool: HighSchool } | FailedFetch> {
    const path = `/external/highSchool?id=${encodeURIComponent(id.toWellFormed())}`
    const answer = await send('lookup', path, { limits: { ...limits, ...LOOKUP_LIMITS } })
    if (!answer.ok) return answer
    const reading = readHighSchool(tryParseJson(answer.body ?? ''))
    if (!reading.ok) return createUnreadable(`not a high school of the specification (${reading.reason})`)
    if (reading.value.id !== id) return createUnreadable('another high school than the one asked for')
    return { ok: true, highSchool: reading.value }
  }

  return {
    async fetchList(list: FeedList, validators?: Validators) {
      const answer = await send('list', PATHS[list], { limits, validators })
      if (!answer.ok) countUpstreamRequest('list', answer.kind)
      else countUpstreamRequest('list', answer.body === null ? 'not-modified' : 'ok')
      return answer
    },
    /** An answer that is no high school, or one with another id, counts as unreadable. */
    async fetchHighSchool(id: string) {
      const answer = await lookUp(id)
      countUpstreamRequest('lookup', answer.ok ? 'ok' : answer.kind)
      return answer
    },
  }
}

type Exchange = {
  url: string
  headers: Record<string, string>
  limits: RequestLimits
  validators?: Validators | undefined
}

/** Never rejects. `isComplete`: the service has refused, or sent the whole answer, so it has counted the request. */
async function exchange(
  transport: Transport,
  clock: { now(): number },
  { url, limits, validators: { etag, lastModified } = {}, ...request }: Exchange,
): Promise<{ result: UpstreamAnswer | UpstreamProblem; isComplete: boolean }> {
  const deadline = createDeadline(limits.overallMs)
  const headers = { ...request.headers }
  if (etag !== undefined) headers['if-none-match'] = etag
  if (lastModified !== undefined) headers['if-modified-since'] = lastModified
  const isConditional = etag !== undefined || lastModified !== undefined
  try {
    deadline.startPhase('no answer', limits.idleMs)
    const response = await deadline.raceTimeout(transport({ url, headers, signal: deadline.signal }))
    const isUnchanged = isConditional && response.status === 304
    const problem = isUnchanged ? null : findProblem(response, clock.now())
    if (problem) {
      void response.body?.cancel().catch(() => {})
      return { result: problem, isComplete: true }
    }
    const validators = readValidators(response.headers)
    const body = await readBody(response, deadline, limits)
    return { result: { ok: true, validators, body: isUnchanged ? null : body }, isComplete: true }
  } catch (error) {
    return { result: toProblem(error), isComplete: false }
  } finally {
    deadline.stop()
  }
}

const KIND_BY_STATUS = new Map<number, UpstreamProblem['kind']>([
  [401, 'unauthenticated'],
  [403, 'unauthorized'],
  [404, 'not-found'],
  [429, 'rate-limited'],
])

function findProblem({ status, headers }: Response, nowMs: number): UpstreamProblem | null {
  if (status === 200) return null
  const detail = `status ${status}`
  if (status >= 300 && status < 400 && status !== 304)
    return createUnreadable(`a redirect (${detail}), which is not followed`)
  const kind = status >= 500 ? 'unavailable' : (KIND_BY_STATUS.get(status) ?? 'unreadable')
  const mayRetryLater = kind === 'unavailable' || kind === 'rate-limited'
  return { ok: false, kind, detail, retryAfterMs: mayRetryLater ? readRetryAfterMs(headers, nowMs) : undefined }
}

/** Rejects when the body is larger than `maxBytes`, pauses for `idleMs`, or breaks off. */
async function readBody(response: Response, deadline: Deadline, { maxBytes, idleMs }: RequestLimits) {
  if (!response.body) return new Uint8Array()
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (;;) {
      deadline.startPhase('no further part of the answer', idleMs)
      const { done, value } = await deadline.raceTimeout(reader.read())
      if (done) return Buffer.concat(chunks, bytes)
      bytes += value.byteLength
      if (bytes > maxBytes) throw new TooLargeError(`an answer larger than ${maxBytes} bytes`)
      chunks.push(value)
    }
  } catch (error) {
    // A failure of `cancel` adds nothing to the error that is thrown.
    void reader.cancel().catch(() => {})
    throw error
  }
}

class TooLargeError extends Error {}

/** An error is named by its code only, because messages may quote what was sent. */
function toProblem(error: unknown): UpstreamProblem {
  if (error instanceof TooLargeError) return createUnreadable(error.message)
  if (error instanceof TimeoutError) return { ok: false, kind: 'unavailable', detail: error.message }
  const codes = listCauses(error).map(readErrorCode)
  const code = codes.find((candidate) => /^[A-Z][A-Z0-9_]{0,50}$/.test(candidate)) ?? 'unknown reason'
  if (code === 'Z_DATA_ERROR' || code.startsWith('HPE_')) return createUnreadable(`a broken answer (${code})`)
  return { ok: false, kind: 'unavailable', detail: `${CERTIFICATE_FAULTS[code] ?? 'the connection failed'} (${code})` }
}

function createUnreadable(detail: string): UpstreamProblem {
  return { ok: false, kind: 'unreadable', detail }
}

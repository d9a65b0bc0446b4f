import 'server-only'
import type { ProblemKind } from '@/lib/contract/feed-status'
import type { HighSchool } from '@/lib/contract/lead'
import { causesOf, CERTIFICATE_FAULTS, codeOf } from '@/server/base/errors'
import { createDeadline, type Deadline, TimeOutError } from '@/server/base/deadline'
import type { Transport } from '@/server/base/transport'

/** Sent back later to ask whether the content still holds (RFC 9110, 8.8). `wholeAt` (ms): when it last came whole. */
export type Validators = { etag?: string; lastModified?: string; wholeAt?: number }

/** `detail` never repeats what the service sent, nor the token. */
export type Problem = { ok: false; kind: ProblemKind | 'not-found'; detail: string; retryAfterMs?: number }
type NoBudget = { ok: false; kind: 'no-budget'; retryAtMs: number }
export type FailedFetch = Problem | NoBudget

/** Wall clock, ms. */
type Measures = { startedAt: number }
export type WholeBody = { ok: true; notModified: false; body: Uint8Array; validators: Validators } & Measures
export type NotModified = { ok: true; notModified: true; validators: Validators } & Measures
export type FoundHighSchool = { ok: true; highSchool: HighSchool } & Measures

export type Timeouts = {
  headersMs: number
  idleMs: number
  overallMs: number
}
export type Exchange = {
  url: string
  headers: Record<string, string>
  validators: Validators
  timeouts: Timeouts
  maxBytes: number
}
/** `isComplete`: read to its end, so the service has counted the request by now. */
export type Exchanged = { result: WholeBody | NotModified | Problem; isComplete: boolean }

/** One request and its answer, within the time limits. Never rejects. */
export async function exchange(transport: Transport, clock: { now(): number }, request: Exchange): Promise<Exchanged> {
  const startedAt = clock.now()
  const deadline = createDeadline(request.timeouts.overallMs)
  try {
    deadline.expect('no answer', request.timeouts.headersMs)
    const { url, maxBytes, timeouts } = request
    const headers = { ...request.headers, ...conditionalHeaders(request.validators) }
    const response = await deadline.orTimeOut(transport({ url, headers, signal: deadline.signal }))
    const problem = problemOf(response, headers, clock.now())
    if (problem) return { result: problem, isComplete: await isDrained(response) }
    const validators = validatorsOf(response.headers)
    const body = await readBody(response, deadline, { maxBytes, idleMs: timeouts.idleMs })
    const measures = { startedAt, validators }
    if (response.status === 304) return { result: { ok: true, notModified: true, ...measures }, isComplete: true }
    return { result: { ok: true, notModified: false, body, ...measures }, isComplete: true }
  } catch (error) {
    return { result: problemOfError(error), isComplete: false }
  } finally {
    deadline.stop()
  }
}

function conditionalHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

function problemOf(response: Response, sent: Record<string, string>, nowMs: number): Problem | null {
  const isConditional = 'if-none-match' in sent || 'if-modified-since' in sent
  if (response.status === 304 && isConditional) return null
  if (response.status !== 200) return problemOfStatus(response, nowMs)
  const encoding = response.headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return unreadable('an encoding that was not asked for')
  const type = response.headers.get('content-type') ?? ''
  return mayBeJson(type) ? null : unreadable('an answer that is not JSON by its content type')
}

function mayBeJson(contentType: string): boolean {
  return (
    contentType === '' ||
    /^\s*(text\/plain|application\/octet-stream|[\w.+-]+\/([\w.+-]+\+)?json)\s*(;|$)/i.test(contentType)
  )
}

/** The body of an error is of no use. Read to its end, it shows that the service has counted the request. */
const ERROR_BODY = { maxBytes: 65_536, idleMs: 1_000 }

async function isDrained(response: Response): Promise<boolean> {
  const deadline = createDeadline(ERROR_BODY.idleMs)
  try {
    await readBody(response, deadline, ERROR_BODY)
    return true
  } catch {
    return false
  } finally {
    deadline.stop()
  }
}

type BodyLimits = { maxBytes: number; idleMs: number }

/** Rejects when the body is larger than `maxBytes`, pauses for `idleMs`, or breaks off. */
async function readBody(response: Response, deadline: Deadline, limits: BodyLimits): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array()
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (;;) {
      deadline.expect('no further part of the answer', limits.idleMs)
      const { done, value } = await deadline.orTimeOut(reader.read())
      if (done) return Buffer.concat(chunks, bytes)
      bytes += value.byteLength
      if (bytes > limits.maxBytes) throw new TooLargeError(`an answer larger than ${limits.maxBytes} bytes`)
      chunks.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error
  }
}

/** Only what can be sent back as a header, and not at any length. */
const SENDABLE = /^[\x21-\x7e][\x20-\x7e]{0,500}$/

function validatorsOf(headers: Headers): Validators {
  const etag = headers.get('etag') ?? ''
  const lastModified = headers.get('last-modified') ?? ''
  const isStrong = SENDABLE.test(lastModified) && isOldEnough(lastModified, headers.get('date') ?? '')
  return { ...(SENDABLE.test(etag) && { etag }), ...(isStrong && { lastModified }) }
}

const MIN_AGE_MS = 60_000

/** A date says nothing of what changed later in the same second, by a clock that may be another one (RFC 9110, 8.8.2.2). */
function isOldEnough(lastModified: string, date: string): boolean {
  return Date.parse(date) - Date.parse(lastModified) >= MIN_AGE_MS
}

class TooLargeError extends Error {
  override name = 'TooLargeError'
}

function problemOfStatus({ status, headers }: Response, nowMs: number): Problem {
  const detail = `status ${status}`
  if (status >= 300 && status < 400 && status !== 304)
    return unreadable(`a redirect (${detail}), which is not followed`)
  const kind = status >= 500 ? 'unavailable' : (KINDS.get(status) ?? 'unreadable')
  const wait = kind === 'unavailable' || kind === 'rate-limited' ? retryAfterMs(headers, nowMs) : undefined
  return { ok: false, kind, detail, ...(wait !== undefined && { retryAfterMs: wait }) }
}

const KINDS = new Map<number, Problem['kind']>([
  [401, 'unauthenticated'],
  [403, 'unauthorized'],
  [404, 'not-found'],
  [429, 'rate-limited'],
])

/** By its code only: messages may quote what was sent. */
function problemOfError(error: unknown): Problem {
  if (error instanceof TimeOutError) return unavailable(error.message)
  if (error instanceof TooLargeError) return unreadable(error.message)
  const codes = causesOf(error).map(codeOf)
  const code = codes.find((each) => /^[A-Z][A-Z0-9_]{0,50}$/.test(each)) ?? 'unknown reason'
  if (code === 'Z_DATA_ERROR' || code.startsWith('HPE_')) return unreadable(`a broken answer (${code})`)
  const fault = CERTIFICATE_FAULTS[code]
  return unavailable(fault === undefined ? `the connection failed (${code})` : `${fault} (${code})`)
}

export const unreadable = (detail: string): Problem => ({ ok: false, kind: 'unreadable', detail })

const unavailable = (detail: string): Problem => ({ ok: false, kind: 'unavailable', detail })

const MAX_WAIT_MS = 3_600_000

/** In ms, at most an hour: seconds, or a date (RFC 9110, 10.2.3) by the service's own clock. */
function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, MAX_WAIT_MS)
  if (!/^[A-Z][a-z]{2}/.test(value)) return undefined
  const serviceNow = Date.parse(headers.get('date') ?? '')
  const waitMs = Date.parse(value) - (Number.isNaN(serviceNow) ? nowMs : serviceNow)
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_WAIT_MS)
}

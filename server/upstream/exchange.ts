import 'server-only'
import { createDeadline, type Deadline } from './deadline'
import {
  type NotModified,
  type Problem,
  problemOfError,
  problemOfStatus,
  TooLargeError,
  unreadable,
  type Validators,
  type WholeBody,
} from './outcome'
import type { Transport } from './transport'

export type Timeouts = {
  /** From sending to the answer's headers, connecting included. */
  headersMs: number
  /** Between two parts of the body. */
  idleMs: number
  overallMs: number
}
export type Exchange = {
  url: string
  headers: Record<string, string>
  /** Of the last answer: the service may say 304 instead of sending it again. */
  validators: Validators
  timeouts: Timeouts
  maxBytes: number
  onChunk?: ((chunk: Uint8Array) => void) | undefined
}
/** `isWhole`: the answer ended, so the service has counted the request by now if ever. */
export type Exchanged = { result: WholeBody | NotModified | Problem; isWhole: boolean }

/** Sends one request and reads its answer within the time allowed. Never rejects. */
export async function exchange(transport: Transport, clock: { now(): number }, request: Exchange): Promise<Exchanged> {
  const startedAt = clock.now()
  const deadline = createDeadline(request.timeouts.overallMs)
  try {
    deadline.expect('no answer', request.timeouts.headersMs)
    const { url, maxBytes, onChunk, timeouts } = request
    const headers = { ...request.headers, ...conditionalHeaders(request.validators) }
    const response = await deadline.orTimeOut(transport({ url, headers, signal: deadline.signal }))
    const problem = problemOf(response, headers, clock.now())
    if (problem) return { result: problem, isWhole: await drained(response) }
    const validators = validatorsOf(response.headers)
    const body = await readBody(response, deadline, { maxBytes, idleMs: timeouts.idleMs, onChunk })
    const course = { startedAt, finishedAt: clock.now(), bytes: body.byteLength, validators }
    if (response.status === 304) return { result: { ok: true, notModified: true, ...course }, isWhole: true }
    return { result: { ok: true, notModified: false, body, ...course }, isWhole: true }
  } catch (error) {
    return { result: problemOfError(error), isWhole: false }
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

/** Null when the answer is to be read. */
function problemOf(response: Response, sent: Record<string, string>, nowMs: number): Problem | null {
  const isConditional = 'if-none-match' in sent || 'if-modified-since' in sent
  if (response.status === 304 && isConditional) return null
  if (response.status !== 200) return problemOfStatus(response, nowMs)
  const encoding = response.headers.get('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return unreadable('an encoding that was not asked for')
  const type = response.headers.get('content-type') ?? ''
  return mayBeJson(type) ? null : unreadable('an answer that is not JSON by its content type')
}

/** A service that forgets to name the type, or names a vague one, is still read: the body decides. */
function mayBeJson(contentType: string): boolean {
  return (
    contentType === '' ||
    /^\s*(text\/plain|application\/octet-stream|[\w.+-]+\/([\w.+-]+\+)?json)\s*(;|$)/i.test(contentType)
  )
}

/** The body of an error is read to its end only while that is quick: nobody needs it. */
const ERROR_BODY = { maxBytes: 65_536, idleMs: 1_000 }

/** Whether the answer ended. */
async function drained(response: Response): Promise<boolean> {
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

type BodyLimits = { maxBytes: number; idleMs: number; onChunk?: ((chunk: Uint8Array) => void) | undefined }

/** The whole body in one piece. Rejects when it is larger than `maxBytes`, pauses for `idleMs`, or breaks off. */
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
      limits.onChunk?.(value)
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
  return { ...(SENDABLE.test(etag) && { etag }), ...(SENDABLE.test(lastModified) && { lastModified }) }
}

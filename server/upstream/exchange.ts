import 'server-only'
import { createDeadline } from './deadline'
import type { NotModified, Problem, WholeBody } from './outcome'
import { problemOfError, problemOfStatus, unreadable } from './problem-of'
import { readBody } from './read-body'
import type { Transport } from './transport'
import { validatorsOf } from './validators'

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
  timeouts: Timeouts
  maxBytes: number
  onChunk?: ((chunk: Uint8Array) => void) | undefined
}
/** `isWhole`: the answer ended, so the service has counted the request by now if ever. */
export type Exchanged = { result: WholeBody | NotModified | Problem; isWhole: boolean }

/** The body of an error is read to its end only while that is quick: it is not looked at. */
const ERROR_BODY = { maxBytes: 65_536, idleMs: 1_000 }

/** Sends one request and reads its answer within the time allowed. Never rejects. */
export async function exchange(transport: Transport, clock: { now(): number }, request: Exchange): Promise<Exchanged> {
  const startedAt = clock.now()
  const deadline = createDeadline(request.timeouts.overallMs)
  try {
    deadline.expect('no answer', request.timeouts.headersMs)
    const { url, headers } = request
    const response = await deadline.orTimeOut(transport({ url, headers, signal: deadline.signal }))
    const problem = problemOf(response, headers, clock.now())
    if (problem) return { result: problem, isWhole: await drained(response) }
    const validators = validatorsOf(response.headers)
    const { maxBytes, onChunk, timeouts } = request
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

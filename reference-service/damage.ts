import { Readable } from 'node:stream'
import { errorAnswer } from './answers'
import type { AnswerFault, ListFault } from './faults'

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** The socket of the request; null in-process, where a broken connection is a rejection as with fetch. */
export type Connection = { reset(): void }

export class BrokenConnectionError extends TypeError {
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
  }
}

type Surroundings = { request: Request; sleep: Sleep; connection: Connection | undefined }

export async function damageAnswer(answer: Response, fault: AnswerFault, around: Surroundings): Promise<Response> {
  const { request, sleep, connection } = around
  switch (fault.name) {
    case 'status': {
      const { retryAfterSeconds: wait } = fault
      return errorAnswer(fault.status, wait === undefined ? {} : { 'retry-after': String(wait) })
    }
    case 'html':
      return html(fault.status)
    case 'redirect':
      return new Response(null, { status: 302, headers: { location: fault.to, 'content-type': 'application/json' } })
    case 'hang':
      return untilAborted(request.signal)
    case 'delay':
      await sleep(fault.ms, request.signal)
      return answer
    case 'reset':
      connection?.reset()
      throw new BrokenConnectionError()
    case 'drip':
      return streamed(
        dripped(await bytesOf(answer), (share) => sleep(share * fault.ms, request.signal)),
        withoutLength(answer.headers),
      )
    case 'truncated':
      return streamed(truncated(await bytesOf(answer), around), answer.headers)
    case 'invalid-json':
      return new Response(`${(await answer.text()).slice(0, -1)},]`, { headers: withoutLength(answer.headers) })
    case 'endless':
      return streamed(endless(await answer.text()), withoutLength(answer.headers))
    default:
      return fault satisfies never
  }
}

function html(status: number): Response {
  const page = `<!doctype html><html><head><title>${status}</title></head><body><h1>${status}</h1><hr>proxy</body></html>`
  return new Response(page, { status, headers: { 'content-type': 'text/html' } })
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

const PIECES = 20

async function* dripped(bytes: Uint8Array, pause: (share: number) => Promise<void>): AsyncGenerator<Uint8Array> {
  for (let piece = 0; piece < PIECES; piece++) {
    await pause(1 / PIECES)
    yield bytes.subarray(Math.floor((bytes.length * piece) / PIECES), Math.floor((bytes.length * (piece + 1)) / PIECES))
  }
}

/** Of the promised length half, then the connection breaks. */
async function* truncated(bytes: Uint8Array, around: Surroundings): AsyncGenerator<Uint8Array> {
  const { request, sleep, connection } = around
  yield bytes.subarray(0, bytes.length >> 1)
  // Long enough for the half to be on the wire, or the caller would see a reset and no body at all.
  await sleep(50, request.signal)
  if (!connection) throw new BrokenConnectionError()
  connection.reset()
  await untilAborted(request.signal)
}

function* endless(text: string): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(text.slice(0, text.lastIndexOf(']')))
  const more = encoder.encode(`${' '.repeat(65_535)}\n`)
  for (;;) yield more
}

function streamed(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, headers: Headers): Response {
  const body = Readable.toWeb(
    Readable.from(pieces, { objectMode: false, highWaterMark: 0 }),
  ) as ReadableStream<Uint8Array>
  return new Response(body, { headers })
}

async function bytesOf(answer: Response): Promise<Uint8Array> {
  return new Uint8Array(await answer.arrayBuffer())
}

function withoutLength(headers: Headers): Headers {
  const rest = new Headers(headers)
  rest.delete('content-length')
  return rest
}

type Item = Record<string, unknown>

export function damageList(list: readonly object[], fault: ListFault): readonly object[] {
  const items: Item[] = list.map((item) => ({ ...item }))
  const [first, ...others] = items
  if (!first) return items
  if (fault.name === 'shrinking-list') return items.slice(0, Math.floor(items.length * fault.keep))
  const damaged = {
    'orphan-lead': () => ('highSchoolId' in first ? [orphanOf(first), ...items] : items),
    'wrong-types': () => [withWrongTypes(first), ...others],
    'missing-fields': () => [{ id: first['id'] }, ...others],
    'duplicate-ids': () => [{ ...first }, ...items],
    'empty-list': () => [],
  }
  return damaged[fault.name]()
}

function orphanOf(lead: Item): Item {
  const name = 'highSchoolName' in lead && { highSchoolName: 'Okända gymnasiet' }
  const school = { highSchoolId: 'a-school-nobody-knows', ...name }
  return { ...lead, id: `orphan-${String(lead['id'])}`, ...school }
}

function withWrongTypes({ id, ...fields }: Item): Item {
  const wrong = (value: unknown) => (typeof value === 'string' ? { unexpected: value } : 'unexpected')
  return { id, ...Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, wrong(value)])) }
}

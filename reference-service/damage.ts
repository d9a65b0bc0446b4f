import { errorAnswer } from './answers'
import type { AnswerFault, ListFault } from './faults'

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** The socket under the request, where there is one; in-process a broken connection is a rejection, as with fetch. */
export type Connection = { reset(): void }

/** The connection broke: there is no answer, and the caller of `handle` gets this instead. */
export class BrokenConnectionError extends TypeError {
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
  }
}

type Surroundings = { request: Request; sleep: Sleep; connection: Connection | undefined }

/** The answer with the fault applied to it. */
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
      return dripped(await bytesOf(answer), answer.headers, (piece) => sleep(piece * fault.ms, request.signal))
    case 'truncated':
      return truncated(await bytesOf(answer), answer.headers, around)
    case 'invalid-json':
      return new Response(`${(await answer.text()).slice(0, -1)},]`, { headers: withoutLength(answer.headers) })
    case 'endless':
      return endless(await answer.text(), answer.headers)
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

function dripped(bytes: Uint8Array, headers: Headers, pause: (share: number) => Promise<void>): Response {
  const pieces = 20
  let piece = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (piece === pieces) return controller.close()
      await pause(1 / pieces)
      const [from, to] = [piece, piece + 1].map((n) => Math.floor((bytes.length * n) / pieces))
      piece++
      controller.enqueue(bytes.subarray(from, to))
    },
  })
  return new Response(body, { headers: withoutLength(headers) })
}

/** Promises the whole length, sends half, then the connection breaks. */
function truncated(bytes: Uint8Array, headers: Headers, { request, sleep, connection }: Surroundings): Response {
  let sent = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent) {
        sent = true
        return controller.enqueue(bytes.subarray(0, bytes.length >> 1))
      }
      // Long enough for the half to be on the wire, or the caller would see a reset and no body at all.
      await sleep(50, request.signal)
      if (connection) connection.reset()
      else controller.error(new BrokenConnectionError())
    },
  })
  return new Response(body, { headers })
}

function endless(text: string, headers: Headers): Response {
  const encoder = new TextEncoder()
  const more = encoder.encode(`${' '.repeat(65_535)}\n`)
  let started = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(started ? more : encoder.encode(text.slice(0, text.lastIndexOf(']'))))
      started = true
    },
  })
  return new Response(body, { headers: withoutLength(headers) })
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

/** The list with the fault in it; the list given stays as it is. */
export function damageList(list: readonly object[], fault: ListFault): readonly object[] {
  const items: Item[] = list.map((item) => ({ ...item }))
  const [first] = items
  if (!first) return items
  switch (fault.name) {
    case 'orphan-lead':
      return 'highSchoolId' in first ? [orphanOf(first), ...items] : items
    case 'wrong-types':
      return [mapFields(first, wrongType), ...items.slice(1)]
    case 'missing-fields':
      return [{ id: first['id'] }, ...items.slice(1)]
    case 'duplicate-ids':
      return [{ ...first }, ...items]
    case 'empty-list':
      return []
    case 'shrinking-list':
      return items.slice(0, Math.floor(items.length * fault.keep))
    default:
      return fault satisfies never
  }
}

/** A lead, newest of all, whose school is missing from the list of schools. */
function orphanOf(lead: Item): Item {
  const school = {
    highSchoolId: 'a-school-nobody-knows',
    ...('highSchoolName' in lead && { highSchoolName: 'Okända gymnasiet' }),
  }
  return { ...lead, id: `orphan-${String(lead['id'])}`, ...school }
}

function mapFields(item: Item, change: (value: unknown) => unknown): Item {
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, key === 'id' ? value : change(value)]))
}

function wrongType(value: unknown): unknown {
  return typeof value === 'string' ? { unexpected: value } : 'unexpected'
}

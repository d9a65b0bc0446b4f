import { once } from 'node:events'
import { Readable } from 'node:stream'
import { createErrorResponse } from './answers'
import type { Endpoint } from './specification'

type AnswerFault =
  | { kind: 'truncated' }
  | { kind: 'status'; status: 401 | 403 | 429 }
  | { kind: 'html'; status: 500 | 502 | 503 }
  | { kind: 'delay'; ms: number }

/** A fault of an answer, or of the list in it. `endpoint` limits it to one endpoint, `times` to so many requests. */
export type Fault = (AnswerFault | { kind: 'empty-list' }) & { endpoint?: Endpoint; times?: number }

export function createFaultSwitch(initial: readonly Fault[]) {
  const counted = (faults: readonly Fault[]) => faults.map((fault) => ({ fault, left: fault.times ?? Infinity }))
  let active = counted(initial)
  return {
    set(faults: readonly Fault[]) {
      active = counted(faults)
    },
    consumeFaults(endpoint: Endpoint): Fault[] {
      const hit = active.filter(
        ({ fault, left }) => left > 0 && (fault.endpoint === undefined || fault.endpoint === endpoint),
      )
      for (const entry of hit) entry.left--
      return hit.map(({ fault }) => fault)
    },
  }
}

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** The socket of a request. A request within the process has none. */
export type Connection = { reset(): void }

export async function damageAnswer(
  answer: Response,
  fault: AnswerFault,
  { request, sleep, connection }: { request: Request; sleep: Sleep; connection: Connection | undefined },
): Promise<Response> {
  switch (fault.kind) {
    case 'status':
      return createErrorResponse(fault.status)
    case 'html': {
      const { status } = fault
      const page = `<!doctype html><html><head><title>${status}</title></head><body><h1>${status}</h1><hr>proxy</body></html>`
      return new Response(page, { status, headers: { 'content-type': 'text/html' } })
    }
    case 'delay':
      await sleep(fault.ms, request.signal)
      return answer
    case 'truncated': {
      const bytes = new Uint8Array(await answer.arrayBuffer())
      // Half of the promised length is sent before the connection breaks.
      const halve = async function* () {
        yield bytes.subarray(0, bytes.length >> 1)
        // Without this wait the caller would see a reset and no body at all.
        await sleep(50, request.signal)
        connection?.reset()
        await once(request.signal, 'abort')
      }
      const body = Readable.from(halve(), { objectMode: false, highWaterMark: 0 })
      return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { headers: answer.headers })
    }
    default:
      return fault satisfies never
  }
}

import { once } from 'node:events'
import { Readable } from 'node:stream'
import { errorAnswer } from './answers'
import type { AnswerFault } from './faults'

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** The socket of the request; none in-process. */
export type Connection = { reset(): void }

type Surroundings = { request: Request; sleep: Sleep; connection: Connection | undefined }

export async function damageAnswer(answer: Response, fault: AnswerFault, around: Surroundings): Promise<Response> {
  switch (fault.name) {
    case 'status':
      return errorAnswer(fault.status)
    case 'html':
      return html(fault.status)
    case 'delay':
      await around.sleep(fault.ms, around.request.signal)
      return answer
    case 'truncated': {
      const pieces = truncated(new Uint8Array(await answer.arrayBuffer()), around)
      const body = Readable.from(pieces, { objectMode: false, highWaterMark: 0 })
      return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { headers: answer.headers })
    }
    default:
      return fault satisfies never
  }
}

function html(status: number): Response {
  const page = `<!doctype html><html><head><title>${status}</title></head><body><h1>${status}</h1><hr>proxy</body></html>`
  return new Response(page, { status, headers: { 'content-type': 'text/html' } })
}

/** Of the promised length half, then the connection breaks. */
async function* truncated(bytes: Uint8Array, { request, sleep, connection }: Surroundings): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, bytes.length >> 1)
  // Long enough for the half to be on the wire, or the caller would see a reset and no body at all.
  await sleep(50, request.signal)
  connection?.reset()
  await once(request.signal, 'abort')
}

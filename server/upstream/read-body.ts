import 'server-only'
import type { Deadline } from './deadline'

export class TooLargeError extends Error {
  override name = 'TooLargeError'
}

export type BodyLimits = { maxBytes: number; idleMs: number; onChunk?: ((chunk: Uint8Array) => void) | undefined }

/** The whole body in one piece. Rejects when it is larger than `maxBytes`, pauses for `idleMs`, or breaks off. */
export async function readBody(response: Response, deadline: Deadline, limits: BodyLimits): Promise<Uint8Array> {
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

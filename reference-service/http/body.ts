import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const gzipAsync = promisify(gzip)
type Bytes = Uint8Array<ArrayBuffer>

/** A JSON answer that is written once and sent often; compressed when somebody first asks for it. */
export type Body = { bytes: Bytes; etag: string; gzipped: () => Promise<Bytes> }

export function createBody(bytes: Bytes): Body {
  let compressed: Promise<Bytes> | undefined
  return {
    bytes,
    // Weak: the same tag stands for the plain and the compressed bytes (RFC 9110, 8.8.1).
    etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"`,
    gzipped: () =>
      (compressed ??= gzipAsync(bytes, { level: constants.Z_BEST_SPEED }).then((out) => new Uint8Array(out))),
  }
}

export function jsonBytes(value: unknown): Bytes {
  return new TextEncoder().encode(JSON.stringify(value))
}

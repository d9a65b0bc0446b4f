import 'server-only'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createRecent } from '@/server/recent'

/** A text that many are sent alike; equal keys have equal texts. */
type SharedText = { key: string; write: () => string }

export type Compressed = ReturnType<typeof createCompressed>

const MOST_KEPT = 200
const compress = promisify(gzip)

/** Answers compressed once for all who are sent the same: for a page of a list that costs more than all else about it. */
export function createCompressed() {
  const kept = createRecent<Promise<Buffer>>(MOST_KEPT)
  const keep = (key: string, body: Promise<Buffer>): Promise<Buffer> => {
    kept.set(key, body)
    body.catch(() => kept.drop(key))
    return body
  }
  return {
    /** The answer in the encoding that is asked for (RFC 9110, section 12.5.3): gzip, or none. */
    respond: async (
      request: Request,
      { key, write }: SharedText,
      headers: Record<string, string>,
    ): Promise<Response> => {
      const vary = { ...headers, vary: 'accept-encoding' }
      if (!acceptsGzip(request)) return new Response(write(), { headers: vary })
      const body = await (kept.get(key) ?? keep(key, compress(write())))
      return new Response(Uint8Array.from(body), { headers: { ...vary, 'content-encoding': 'gzip' } })
    },
  }
}

function acceptsGzip(request: Request): boolean {
  const accepted = request.headers.get('accept-encoding') ?? ''
  return accepted.split(',').some((one) => /^\s*(?:x-)?gzip\s*(?:;\s*q\s*=\s*(?:1|0?\.\d*[1-9]).*)?$/i.test(one))
}

import type { Body } from './body'

/** Below this a compressed answer is hardly smaller. */
const smallestToCompress = 1024

/** 200 with the body, compressed if the caller takes gzip; 304 if the caller has it already. */
export async function sendBody(body: Body, request: Request): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept-Encoding',
    etag: body.etag,
  }
  if (matches(request.headers.get('if-none-match'), body.etag)) return new Response(null, { status: 304, headers })
  const compress = body.bytes.length >= smallestToCompress && takesGzip(request.headers.get('accept-encoding'))
  const bytes = compress ? await body.gzipped() : body.bytes
  if (compress) headers['content-encoding'] = 'gzip'
  return new Response(bytes, { headers: { ...headers, 'content-length': String(bytes.length) } })
}

/** RFC 9110, 13.1.2: weak comparison against a list of tags, or `*`. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}

/** RFC 9110, 12.5.3: gzip by name, or else by `*`, with a weight above 0. */
function takesGzip(acceptEncoding: string | null): boolean {
  const weights = new Map<string, number>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

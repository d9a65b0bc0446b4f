import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { listInScope, type PermittedScope, type ServiceData } from './store'

const compress = promisify(gzip)

const ERROR_MESSAGES = {
  401: 'Unauthenticated',
  403: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Rate limit exceeded',
  500: 'Internal Server Error',
} as const

export async function respondWithBody(body: EncodedBody, request: Request): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    etag: body.etag,
  }
  if (request.headers.get('if-none-match') === body.etag) return new Response(null, { status: 304, headers })
  const isCompressed = request.headers.get('accept-encoding')?.includes('gzip') === true
  const bytes = isCompressed ? await body.gzip() : body.bytes
  if (isCompressed) headers['content-encoding'] = 'gzip'
  return new Response(bytes, { headers: { ...headers, 'content-length': String(bytes.length) } })
}

type EncodedBody = ReturnType<typeof createBody>

export function createBody(value: unknown) {
  const bytes = Buffer.from(JSON.stringify(value))
  let gzipped: ReturnType<typeof compress> | undefined
  return {
    bytes,
    // The tag is weak, because the plain and the compressed bytes share it (RFC 9110, 8.8.1).
    etag: `W/"${createHash('sha1').update(bytes).digest('base64url')}"`,
    gzip: () => (gzipped ??= compress(bytes, { level: constants.Z_BEST_SPEED })),
  }
}

/** Creates a cache of serialised lists, with one entry for each list and scope, valid until the data changes. */
export function createListBodyCache() {
  const bodies = new Map<string, { source: readonly object[]; body: EncodedBody }>()

  return (data: ServiceData, list: keyof ServiceData, scope: PermittedScope): EncodedBody => {
    const key = JSON.stringify([list, scope])
    const cached = bodies.get(key)
    if (cached?.source === data[list]) return cached.body
    const body = createBody({ [list]: listInScope(data, list, scope) })
    bodies.set(key, { source: data[list], body })
    return body
  }
}

export function createErrorResponse(
  status: keyof typeof ERROR_MESSAGES,
  headers: Record<string, string> = {},
): Response {
  return Response.json(
    { error: ERROR_MESSAGES[status] },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  )
}

import 'server-only'
import { z } from 'zod'
import { openToken } from '@/server/access/tokens'
import { NotFoundError } from '@/server/errors'
import { isStorableText, parseBody } from '@/server/http/input'
import { HttpError, privateHeaders } from '@/server/http/responses'
import type { Services } from '@/server/services'
import * as groups from './groups'
import * as people from './people'
import { MAX_COUNT, SCHEMA, type Wanted, wantedOf } from './scim-input'

const MESSAGE = 'urn:ietf:params:scim:api:messages:2.0'
const TYPES = ['application/scim+json', 'application/json']
type Kind = typeof people | typeof groups
const KINDS = new Map<string, Kind>([
  ['Users', people],
  ['Groups', groups],
])

const pathSchema = z.object({ path: z.array(z.string()) })

/** SCIM 2.0 (RFC 7643, 7644) for a directory that makes, changes and disables its people; opened by its key only. */
export async function serveScim(parts: Services, request: Request, inPath: Promise<unknown>): Promise<Response> {
  await openToken(parts, 'directory', request)
  const { path } = pathSchema.parse(await inPath)
  const [name = '', id, ...more] = path
  const { method } = request
  if (method === 'GET' && name === 'ServiceProviderConfig' && id === undefined) return answer(CONFIG)
  const kind = KINDS.get(name)
  const isPath = more.length === 0 && path.every((part) => part.length <= 100 && isStorableText(part))
  if (!kind || !isPath) throw new NotFoundError()
  const body = () => parseBody(request, z.looseObject({}), { types: TYPES })
  const { searchParams } = new URL(request.url)
  if (id !== undefined) {
    if (method === 'GET') return answer(await kind.get(parts, id, wantedOf(searchParams, [])))
    if (method === 'PUT') return answer(await kind.replace(parts, id, await body()))
    if (method === 'PATCH') return answer(await kind.patch(parts, id, await body()))
    if (method === 'DELETE') return kind.remove(parts, id).then(() => answer(null, 204))
  } else if (method === 'GET') {
    return answer(await listOf(kind, parts, wantedOf(searchParams, Object.keys(kind.COLUMNS))))
  } else if (method === 'POST') {
    const made = await kind.create(parts, await body())
    return answer(made, 201, { location: made.meta.location })
  }
  throw new HttpError(405, 'Method Not Allowed')
}

const not = { supported: false }
/** RFC 7643, 5. */
const CONFIG = {
  schemas: [`${SCHEMA}ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { ...not, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_COUNT },
  changePassword: not,
  sort: not,
  etag: not,
  authenticationSchemes: [{ type: 'oauthbearertoken', name: 'Bearer', description: 'An administrator’s key' }],
}

async function listOf(kind: Kind, parts: Services, wanted: Wanted) {
  const { total, resources } = await kind.list(parts, wanted)
  const page = { totalResults: total, startIndex: wanted.offset + 1, itemsPerPage: resources.length }
  return { schemas: [`${MESSAGE}:ListResponse`], ...page, Resources: resources }
}

function answer(body: object | null, status = 200, headers: Record<string, string> = {}): Response {
  const type = { 'content-type': 'application/scim+json' }
  return new Response(body && JSON.stringify(body), { status, headers: { ...privateHeaders, ...type, ...headers } })
}

const errorSchema = z.object({ error: z.string(), reason: z.string().optional() })
const ERROR_TYPES = new Map([
  [400, 'invalidValue'],
  [409, 'uniqueness'],
])

/** RFC 7644, 3.12. */
export async function scimError(refusal: Response): Promise<Response> {
  const { status, headers } = refusal
  const { error, reason = ERROR_TYPES.get(status) } = errorSchema.parse(await refusal.json())
  const body = { schemas: [`${MESSAGE}:Error`], status: String(status), scimType: reason, detail: error }
  const retryAfter = headers.get('retry-after')
  return answer(body, status, {
    ...(retryAfter !== null && { 'retry-after': retryAfter }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  })
}

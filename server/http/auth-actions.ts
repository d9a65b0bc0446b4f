import 'server-only'
import { NotFoundError } from '@/server/base/errors'
import { errorResponse } from './responses'

/** The part of next-auth that is exposed. Its log endpoint, for example, is not: anyone could write to it. */
const EXPOSED: Record<string, RegExp> = {
  GET: /^(?:csrf|session|providers|callback\/oidc)$/,
  POST: /^(?:signout|signin\/[\w-]+|callback\/[\w-]+)$/,
}
const PAGES = /^(?:signin(?:\/[\w-]+)?|signout|error)$/

/** Our page instead of next-auth's own, 404 for what is not exposed, null where next-auth answers. */
export function interceptAuth(request: Request, segments: readonly string[]): Response | null {
  const action = segments.join('/')
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (EXPOSED[method]?.test(action)) return null
  if (method !== 'GET' || !PAGES.test(action)) return errorResponse(new NotFoundError())
  const params = new URL(request.url).searchParams
  const kept = new URLSearchParams()
  for (const name of ['callbackUrl', 'error']) if (params.has(name)) kept.set(name, params.get(name) ?? '')
  const location = kept.size === 0 ? '/signin' : `/signin?${kept}`
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'private, no-store' } })
}

const DUMMY_ORIGIN = 'https://intag.invalid'

/** Always a path of ours. Never `/proof`, which would turn the sign-in into a proof. */
export function toCallbackPath(wanted: string | null | undefined): string {
  if (!wanted || !URL.canParse(wanted, DUMMY_ORIGIN)) return '/'
  const url = new URL(wanted, DUMMY_ORIGIN)
  const path = url.pathname + url.search
  const isOurs = url.origin === DUMMY_ORIGIN && /^\/(?![/\\])/.test(path) && wanted.startsWith('/')
  return isOurs && !/^\/(signin|invite|proof|api)(\/|\?|$)/.test(path) ? path : '/'
}

import { NotFoundError } from '@/server/base/errors'
import { errorResponse } from './responses'

/** The exposed actions of next-auth. Its log endpoint is not among them, because anyone could write to it. */
const EXPOSED_ACTIONS: Record<string, RegExp> = {
  GET: /^(?:csrf|session|providers|callback\/oidc)$/,
  POST: /^(?:signout|signin\/[\w-]+|callback\/[\w-]+)$/,
}
const NEXT_AUTH_PAGES = /^(?:signin(?:\/[\w-]+)?|signout|error)$/

/** Redirects next-auth's pages to ours, and refuses what is not exposed. Returns null where next-auth answers. */
export function interceptAuth(request: Request, segments: readonly string[]): Response | null {
  const action = segments.join('/')
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (EXPOSED_ACTIONS[method]?.test(action)) return null
  if (method !== 'GET' || !NEXT_AUTH_PAGES.test(action)) return errorResponse(new NotFoundError())
  const params = [...new URL(request.url).searchParams].filter(([name]) => name === 'callbackUrl' || name === 'error')
  const location = params.length === 0 ? '/signin' : `/signin?${new URLSearchParams(params)}`
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'private, no-store' } })
}

const DUMMY_ORIGIN = 'https://intag.invalid'

/** Returns the path if it is a page of ours, else `/`. `/proof` would turn the sign-in into a proof of identity. */
export function toCallbackPath(requestedPath: string | null | undefined): string {
  if (!requestedPath || !URL.canParse(requestedPath, DUMMY_ORIGIN)) return '/'
  const url = new URL(requestedPath, DUMMY_ORIGIN)
  const path = url.pathname + url.search
  const isOurs = url.origin === DUMMY_ORIGIN && /^\/(?![/\\])/.test(path) && requestedPath.startsWith('/')
  return isOurs && !/^\/(signin|invite|proof|api)(\/|\?|$)/.test(path) ? path : '/'
}

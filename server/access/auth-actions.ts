import 'server-only'
import { NotFoundError } from '@/server/errors'
import { errorResponse } from '@/server/http/responses'

/** What of next-auth is answered; the rest is not for us, such as a log that anybody can write to. */
const ANSWERED: Record<string, RegExp> = {
  GET: /^(?:csrf|session|providers|callback\/oidc)$/,
  POST: /^(?:signout|signin\/[\w-]+|callback\/[\w-]+)$/,
}
const PAGES = /^(?:signin(?:\/[\w-]+)?|signout|error)$/

/** Our page where next-auth has one of its own, 404 where it has nothing for us, null where it answers. */
export function insteadOfNextAuth(request: Request, segments: readonly string[]): Response | null {
  const action = segments.join('/')
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (ANSWERED[method]?.test(action)) return null
  if (method !== 'GET' || !PAGES.test(action)) return errorResponse(new NotFoundError())
  const asked = new URL(request.url).searchParams
  const kept = new URLSearchParams()
  for (const name of ['callbackUrl', 'error']) if (asked.has(name)) kept.set(name, asked.get(name) ?? '')
  const location = kept.size === 0 ? '/signin' : `/signin?${kept}`
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'private, no-store' } })
}

const ANYWHERE = 'https://intag.invalid'

/** A path of ours, whatever was asked for. The page of a proof would make a proof of the sign-in. */
export function callbackPath(wanted: string | null | undefined): string {
  if (!wanted || !URL.canParse(wanted, ANYWHERE)) return '/'
  const url = new URL(wanted, ANYWHERE)
  const path = url.pathname + url.search
  const isOurs = url.origin === ANYWHERE && /^\/(?![/\\])/.test(path) && wanted.startsWith('/')
  return isOurs && !/^\/(signin|invite|proof|api)(\/|\?|$)/.test(path) ? path : '/'
}

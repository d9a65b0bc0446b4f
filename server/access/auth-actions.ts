import 'server-only'
import { NotFoundError } from '@/server/errors'
import { errorResponse } from '@/server/http/responses'

/** What of next-auth is answered; the rest it has for others, such as a log that anybody can write to. */
const ANSWERED: Record<string, RegExp> = {
  GET: /^(?:csrf|session|providers|callback\/oidc)$/,
  POST: /^(?:signout|signin\/[\w-]+|callback\/[\w-]+)$/,
}
/** Pages that next-auth would draw itself, with its own words and styles; ours is one. */
const PAGES = /^(?:signin(?:\/[\w-]+)?|signout|error)$/

/** Instead of next-auth: the way to our page where it has one of its own, 404 where it has nothing for us, else null. */
export function insteadOfNextAuth(request: Request, segments: readonly string[]): Response | null {
  const action = segments.join('/')
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (ANSWERED[method]?.test(action)) return null
  if (method !== 'GET' || !PAGES.test(action)) return errorResponse(new NotFoundError())
  const asked = new URL(request.url).searchParams
  const kept = ['callbackUrl', 'error'].flatMap((name) => {
    const value = asked.get(name)
    return value === null ? [] : [[name, value] as [string, string]]
  })
  const location = kept.length === 0 ? '/signin' : `/signin?${new URLSearchParams(kept)}`
  return new Response(null, { status: 302, headers: { location, 'cache-control': 'private, no-store' } })
}

import 'server-only'

/** Everything we answer may be personal, so nothing on the way may keep it. */
export const privateHeaders = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' } as const

export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...privateHeaders, ...headers } })
}

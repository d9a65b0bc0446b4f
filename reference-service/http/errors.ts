const errorWords = {
  401: 'Unauthenticated',
  403: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Rate limit exceeded',
  500: 'Internal Server Error',
} as const

export type ErrorStatus = keyof typeof errorWords

/** The specification's error body: one string field, `error`. */
export function errorAnswer(status: ErrorStatus, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ error: errorWords[status] }), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...challenge(status), ...headers },
  })
}

/** RFC 9110, 11.6.1: a 401 says which scheme it wants. */
function challenge(status: ErrorStatus): Record<string, string> {
  return status === 401 ? { 'www-authenticate': 'Bearer' } : {}
}

import type { Grant } from '../model'

/** The grant of the request's bearer token; undefined when there is none, it is malformed or unknown. */
export function authenticate(
  authorization: string | null,
  tokens: ReadonlyMap<string, Grant>,
): { token: string; grant: Grant } | undefined {
  const token = bearerToken(authorization)
  const grant = token === undefined ? undefined : tokens.get(token)
  return token !== undefined && grant ? { token, grant } : undefined
}

/** RFC 9110, 11.1: the scheme's name is case-insensitive; RFC 6750, 2.1: one token follows it. */
function bearerToken(authorization: string | null): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1]
}

import 'server-only'

/**
 * Where a request comes from: the last entry of X-Forwarded-For, which our own side of the network wrote; the earlier ones are
 * whatever the client claims.
 */
export function addressOf({ headers }: Pick<Request, 'headers'>): string {
  return headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() || 'unknown'
}

import 'server-only'

/**
 * The last entry of X-Forwarded-For is the one that our own side of the network wrote (Next itself, or the
 * proxy in front of it); the earlier ones are whatever the client claims.
 */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(',').at(-1)?.trim() || 'unknown'
}

import 'server-only'
import type { Env } from '@/server/env'
import { HttpError } from './http-error'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Against requests that another site makes with a person's cookie: whatever changes something must say that it
 * comes from here. Browsers send Origin with every such request.
 */
export function requireSameOrigin(request: Request, { mode, auth }: Pick<Env, 'mode' | 'auth'>): void {
  if (READS.has(request.method)) return
  const origin = request.headers.get('origin')
  if (origin === auth.url) return
  // A demo is opened by whatever name the machine has; connected, there is one address and no other.
  if (mode === 'demo' && isAddress(origin) && new URL(origin).host === request.headers.get('host')) return
  throw new HttpError(403, 'Unauthorized')
}

/** Not so `null`, which sandboxed pages and some redirects send. */
function isAddress(origin: string | null): origin is string {
  return origin !== null && URL.canParse(origin)
}

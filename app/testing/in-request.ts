import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import type { NextRequest } from 'next/server'

const current = new AsyncLocalStorage<NextRequest>()

// Pages and next-auth read the request from `next/headers`, which works in Next's server only, so its two functions are
// replaced before anything imports them.
Object.assign(createRequire(import.meta.url)('next/headers') as object, {
  headers: async () => current.getStore()?.headers,
  cookies: async () => current.getStore()?.cookies,
})

export function inRequest<T>(request: NextRequest, run: () => T): T {
  return current.run(request, run)
}

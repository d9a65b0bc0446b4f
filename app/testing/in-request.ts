import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import type { NextRequest } from 'next/server'

const currentRequest = new AsyncLocalStorage<NextRequest>()

// The two functions of `next/headers` are replaced before anything imports them, because pages and next-auth read the
// request by them, and they work in Next's server only.
Object.assign(createRequire(import.meta.url)('next/headers') as object, {
  headers: async () => currentRequest.getStore()?.headers,
  cookies: async () => currentRequest.getStore()?.cookies,
})

/** Runs a function as Next would while it answers this request. */
export function inRequest<T>(request: NextRequest, run: () => T): T {
  return currentRequest.run(request, run)
}

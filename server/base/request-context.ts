import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { oncePerProcess } from './once-per-process'

export type CurrentRequest = { readonly id: string; readonly address: string; isOver: boolean }

const storage = oncePerProcess('request', () => new AsyncLocalStorage<CurrentRequest>())

/** Makes `request` current for all that this request causes from now on. */
export function enterRequest(request: CurrentRequest): void {
  storage().enterWith(request)
}

/** Returns null outside of a request, and in work that outlives its request. */
export function currentRequest(): CurrentRequest | null {
  const request = storage().getStore()
  return request === undefined || request.isOver ? null : request
}

/** Returns the address of the request that caused this work, even if it is over, or null outside of one. */
export function findCallerAddress(): string | null {
  return storage().getStore()?.address ?? null
}

/** A forwarded id must be 16 to 32 bytes in hexadecimal or a UUID, so that no phone number or name gets into the log. */
const WELL_FORMED = /^(?:[\da-f]{32,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i

/** Returns the id that correlates the log lines of a request: a well-formed one of our own proxy, otherwise a new one. */
export function chooseRequestId(forwardedId: unknown, isBehindProxy: boolean): string {
  return isBehindProxy && typeof forwardedId === 'string' && WELL_FORMED.test(forwardedId) ? forwardedId : randomUUID()
}

import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { oncePerProcess } from './once-per-process'

export type CurrentRequest = { readonly id: string; readonly address: string; isOver: boolean }

const storage = oncePerProcess('request', () => new AsyncLocalStorage<CurrentRequest>())

/** From now on all that this request causes knows it. */
export function enterRequest(request: CurrentRequest): void {
  storage().enterWith(request)
}

/** Null outside of a request, and in work that outlives its request. */
export function currentRequest(): CurrentRequest | null {
  const request = storage().getStore()
  return request === undefined || request.isOver ? null : request
}

/** The address of the request that caused this, even if it is over; null outside of one. */
export function findCallerAddress(): string | null {
  return storage().getStore()?.address ?? null
}

/** 16 to 32 bytes in hexadecimal, or a UUID: no phone number, no name. */
const WELL_FORMED = /^(?:[\da-f]{32,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i

/** The id that correlates a request's log lines: our own proxy's, else a new one. */
export function chooseRequestId(forwardedId: unknown, isBehindProxy: boolean): string {
  return isBehindProxy && typeof forwardedId === 'string' && WELL_FORMED.test(forwardedId) ? forwardedId : randomUUID()
}

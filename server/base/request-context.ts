import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { oncePerProcess } from './once-per-process'

export type CurrentRequest = { readonly id: string; readonly address: string; isOver: boolean }

const storage = oncePerProcess('request', () => new AsyncLocalStorage<CurrentRequest>())

/** Makes `request` current for all that the caller does and starts from now on. */
export function enterRequest(request: CurrentRequest): void {
  storage().enterWith(request)
}

/** Returns null outside a request, and in work that outlives its request. */
export function findCurrentRequest(): CurrentRequest | null {
  const request = storage().getStore()
  return request === undefined || request.isOver ? null : request
}

/** Returns the address of the request that caused this work, even if that is over. */
export function findCallerAddress(): string | null {
  return storage().getStore()?.address ?? null
}

/** 16 to 32 bytes in hexadecimal, or a UUID, so that no phone number or name gets into the log. */
const REQUEST_ID = /^(?:[\da-f]{32,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i

/** Returns the id for a request's log lines: our own proxy's if it is well formed, otherwise a new one. */
export function chooseRequestId(forwardedId: unknown, isBehindProxy: boolean): string {
  return isBehindProxy && typeof forwardedId === 'string' && REQUEST_ID.test(forwardedId) ? forwardedId : randomUUID()
}

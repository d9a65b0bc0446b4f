import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { oncePerProcess } from './once-per-process'

export function withCallerAddress<T>(address: string, work: () => T): T {
  const store = storage()
  return store.run({ request: store.getStore()?.request ?? null, address }, work)
}

/** The address of the current request; null outside of one. */
export function callerAddress(): string | null {
  return storage().getStore()?.address ?? null
}

export type CurrentRequest = { readonly id: string; isOver: boolean }

export function enterRequest(request: CurrentRequest): void {
  storage().enterWith({ request, address: null })
}

/** Null outside of a request, and in work that outlives its request. */
export function currentRequest(): CurrentRequest | null {
  const request = storage().getStore()?.request ?? null
  return request === null || request.isOver ? null : request
}

/** 16 to 32 bytes in hexadecimal, or a UUID: no phone number, no name. */
const WELL_FORMED = /^(?:[\da-f]{32,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i

/** The id that correlates a request's log lines: our own proxy's, else a new one. */
export function requestIdOf(named: unknown, isBehindProxy: boolean): string {
  return isBehindProxy && typeof named === 'string' && WELL_FORMED.test(named) ? named : randomUUID()
}

type RequestContext = { request: CurrentRequest | null; address: string | null }

const storage = oncePerProcess('asked-from', () => new AsyncLocalStorage<RequestContext>())

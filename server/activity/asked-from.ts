import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { oncePerProcess } from '@/server/once-per-process'

export function askedFrom<T>(address: string, work: () => T): T {
  const store = asking()
  return store.run({ request: store.getStore()?.request ?? null, address }, work)
}

/** The address of the current request; null outside of one. */
export function askingAddress(): string | null {
  return asking().getStore()?.address ?? null
}

export type RequestUnderWay = { readonly id: string; isOver: boolean }

export function enterRequest(request: RequestUnderWay): void {
  asking().enterWith({ request, address: null })
}

/** Null outside of a request, and in work that outlives its request. */
export function requestUnderWay(): RequestUnderWay | null {
  const request = asking().getStore()?.request ?? null
  return request === null || request.isOver ? null : request
}

/** 16 to 32 bytes in hexadecimal, or a UUID: no phone number, no name. */
const WELL_FORMED = /^(?:[\da-f]{32,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i

/** The id that correlates a request's log lines: our own proxy's, else a new one. */
export function requestIdOf(named: unknown, isBehindProxy: boolean): string {
  return isBehindProxy && typeof named === 'string' && WELL_FORMED.test(named) ? named : randomUUID()
}

type Asking = { request: RequestUnderWay | null; address: string | null }

function asking(): AsyncLocalStorage<Asking> {
  return oncePerProcess('asked-from', () => new AsyncLocalStorage<Asking>())
}

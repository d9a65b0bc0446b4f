import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { oncePerProcess } from '@/server/once-per-process'

/** Runs the work of one request, so that each of its entries in the log has this address. */
export function askedFrom<T>(address: string, work: () => T): T {
  const store = asking()
  return store.run({ request: store.getStore()?.request ?? null, address }, work)
}

/** Where the request under way comes from; null for what the server does by itself. */
export function askingAddress(): string | null {
  return asking().getStore()?.address ?? null
}

export type RequestUnderWay = { readonly id: string; isOver: boolean }

export function enterRequest(request: RequestUnderWay): void {
  asking().enterWith({ request, address: null })
}

/** Null for what the server does by itself, also where a request that has had its answer set it going. */
export function requestUnderWay(): RequestUnderWay | null {
  const request = asking().getStore()?.request ?? null
  return request === null || request.isOver ? null : request
}

/** 16 to 32 bytes in hexadecimal, or a UUID: too long for a number of a person's, and no letters for a name. */
const WELL_FORMED = /^(?:[\da-f]{32,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i

/** What finds a request in all logs: as our own proxy names it, else a new one. */
export function requestIdOf(named: unknown, isBehindProxy: boolean): string {
  return isBehindProxy && typeof named === 'string' && WELL_FORMED.test(named) ? named : randomUUID()
}

type Asking = { request: RequestUnderWay | null; address: string | null }

function asking(): AsyncLocalStorage<Asking> {
  return oncePerProcess('asked-from', () => new AsyncLocalStorage<Asking>())
}

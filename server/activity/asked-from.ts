import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/** Does the work of one request from this address, so that each entry which it makes in the log has it. */
export function askedFrom<T>(address: string, work: () => T): T {
  const store = asking()
  return store.run({ request: store.getStore()?.request ?? null, address }, work)
}

/** Where the request under way comes from; null for what the server does by itself. */
export function askingAddress(): string | null {
  return asking().getStore()?.address ?? null
}

/** One request, from its first byte to the last of its answer. */
export type RequestUnderWay = { readonly id: string; isOver: boolean }

/** All that follows from here on is done for this request. */
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

/** What finds a request in all logs: as a proxy of ours names it, and made anew for everybody else. */
export function requestIdOf(named: unknown, isBehindProxy: boolean): string {
  return isBehindProxy && typeof named === 'string' && WELL_FORMED.test(named) ? named : randomUUID()
}

type Asking = { request: RequestUnderWay | null; address: string | null }

const KEY = Symbol.for('intag.asked-from')

/** One for the process, because Next loads modules several times. */
function asking(): AsyncLocalStorage<Asking> {
  const known: unknown = Reflect.get(globalThis, KEY)
  if (known instanceof AsyncLocalStorage) return known
  const made = new AsyncLocalStorage<Asking>()
  Reflect.set(globalThis, KEY, made)
  return made
}

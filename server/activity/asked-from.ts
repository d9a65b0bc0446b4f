import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'

/** Does the work of one request from this address, so that each entry which it makes in the log has it. */
export function askedFrom<T>(address: string, work: () => T): T {
  return addresses().run(address, work)
}

/** Where the request under way comes from; null for what the server does by itself. */
export function askingAddress(): string | null {
  return addresses().getStore() ?? null
}

const KEY = Symbol.for('intag.asked-from')

/** One for the process, because Next loads modules several times. */
function addresses(): AsyncLocalStorage<string> {
  const known: unknown = Reflect.get(globalThis, KEY)
  if (known instanceof AsyncLocalStorage) return known
  const made = new AsyncLocalStorage<string>()
  Reflect.set(globalThis, KEY, made)
  return made
}

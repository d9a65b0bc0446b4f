import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { isIPv4, isIPv6 } from 'node:net'

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

/** The network of an address, as the log keeps it in the end: `192.0.2.0/24`, `2001:db8:1::/48`; once shortened it stays so. */
export function shortAddress(address: string): string {
  if (/\/(24|48)$/.test(address)) return address
  const plain = (address.split('%')[0] ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(plain)) return plain.replace(/\.\d+$/, '.0/24')
  if (!isIPv6(plain)) return 'unknown'
  const [head = [], tail = []] = plain.split('::').map(groupsOf)
  const zeros = Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0)
  const network = [...head, ...zeros, ...tail].slice(0, 3)
  return `${network.map((group) => group.toString(16)).join(':')}::/48`
}

/** The groups of a part of an IPv6 address; a dotted end stands for two, which are never among the first three. */
function groupsOf(part: string): number[] {
  const texts = part.split(':').filter((text) => text !== '')
  return texts.flatMap((text) => (text.includes('.') ? [0, 0] : [Number.parseInt(text, 16)]))
}

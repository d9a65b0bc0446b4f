import 'server-only'
import { isIP } from 'node:net'

/** Each trusted proxy appends to X-Forwarded-For the address that called it; earlier entries can be forged. */
export function findClientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trustedProxies: number,
): string {
  const entries = [forwardedFor ?? []].flat().flatMap((line) => line.split(','))
  const written = trustedProxies === 0 ? undefined : entries.at(-trustedProxies)
  return parseAddress(written ?? '') ?? parseAddress(socketAddress ?? '') ?? 'unknown'
}

function parseAddress(written: string): string | null {
  const text = written.trim()
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^\d[\d.]+:\d+$/.test(text) ? text.replace(/:\d+$/, '') : text)
  const address = bare.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  return isIP(address) === 0 ? null : address
}

/** Truncates an address to its network for long storage: IPv4 to /24, and IPv6 to /48, which is one site (RFC 6177). */
export function truncateAddress(address: string): string {
  const family = isIP(address)
  if (family === 0) return /\/(?:24|48)$/.test(address) ? address : 'unknown'
  return `${toNetwork(address, 24, 48)}/${family === 4 ? 24 : 48}`
}

/** The network in which tries are counted: an IPv4 address, or an IPv6 /64, which belongs to one client (RFC 4291). */
export function toCallerNetwork(address: string): string {
  return toNetwork(address, 32, 64)
}

function toNetwork(address: string, bits4: number, bits6: number): string {
  const family = isIP(address)
  if (family === 4) return [...address.split('.').slice(0, bits4 / 8), '0', '0', '0', '0'].slice(0, 4).join('.')
  if (family !== 6) return address
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [left = [], right = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, bits6 / 16).join(':')}::`
}

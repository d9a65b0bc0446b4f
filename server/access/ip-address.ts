import 'server-only'
import { isIP } from 'node:net'

/** Each proxy appends the address it was called from to X-Forwarded-For; entries before those are only a claim. */
export function findClientAddress(
  socket: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trustedProxies: number,
): string {
  const entries = [forwardedFor ?? []].flat().flatMap((line) => line.split(','))
  const written = trustedProxies === 0 ? undefined : entries.at(-trustedProxies)
  return parseAddress(written ?? '') ?? parseAddress(socket ?? '') ?? 'unknown'
}

function parseAddress(written: string): string | null {
  const text = written.trim()
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^\d[\d.]+:\d+$/.test(text) ? text.replace(/:\d+$/, '') : text)
  const address = bare.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  return isIP(address) === 0 ? null : address
}

/** The network of an address, for long storage; an IPv6 /48 is a site (RFC 6177). */
export function truncateAddress(address: string): string {
  const family = isIP(address)
  if (family === 0) return /\/(?:24|48)$/.test(address) ? address : 'unknown'
  return `${toNetwork(address, 24, 48)}/${family === 4 ? 24 : 48}`
}

/** The unit in which attempts are counted: one caller has a whole IPv6 /64 to choose from (RFC 4291). */
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

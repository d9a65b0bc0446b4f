import 'server-only'
import { isIP, isIPv6 } from 'node:net'

/** Each trusted proxy appends to X-Forwarded-For the address that called it; earlier entries can be forged. */
export function findClientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trustedProxies: number,
): string {
  const entries = [forwardedFor ?? []].flat().flatMap((line) => line.split(','))
  const entry = trustedProxies === 0 ? undefined : entries.at(-trustedProxies)
  return parseAddress(entry) ?? parseAddress(socketAddress) ?? 'unknown'
}

/** Returns an address without brackets, port and zone, and as IPv4 if IPv6 only wraps it (`::ffff:192.0.2.7`). */
function parseAddress(text = ''): string | null {
  const address = text
    .trim()
    .toLowerCase()
    .replace(/^\[(.+)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=[\d.]+$)/, '')
  return isIP(address) === 0 ? null : address
}

/** Truncates an address to its network for long storage: IPv4 to /24, and IPv6 to /48, which is one site (RFC 6177). */
export function truncateAddress(address: string): string {
  if (isIPv6(address)) return `${toIPv6Network(address, 3)}/48`
  return isIP(address) === 0 ? 'unknown' : address.replace(/\d+$/, '0/24')
}

/** The network in which tries are counted: an IPv4 address, or an IPv6 /64, which belongs to one client (RFC 4291). */
export function toCallerNetwork(address: string): string {
  return isIPv6(address) ? toIPv6Network(address, 4) : address
}

/** `groupCount` is the number of groups of 16 bits that remain. */
function toIPv6Network(address: string, groupCount: number): string {
  // URL parsing brings the address into the canonical form, with `::` for its longest run of zeros (RFC 5952).
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [left = [], right = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, groupCount).join(':')}::`
}

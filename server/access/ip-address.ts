import { isIP, isIPv6 } from 'node:net'

/** Counts X-Forwarded-For from its end: each trusted proxy appends its caller, and earlier entries can be forged. */
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

/** Returns the network in which tries are counted: an IPv4 address, or the IPv6 /64 of one client (RFC 4291). */
export function toCallerNetwork(address: string): string {
  if (!isIPv6(address)) return address
  // URL parsing makes the address canonical, with `::` for its longest run of zeros (RFC 5952).
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [left = [], right = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::`
}

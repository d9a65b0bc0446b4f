import 'server-only'
import { isIP } from 'node:net'

/**
 * The address of whoever asks. A proxy adds the address it was asked from at the end of X-Forwarded-For, so with so many
 * proxies of ours the one that the outermost wrote is that many from the right; all before it is what clients claim.
 * Without proxies, or with fewer entries than there should be, it is the socket's own.
 */
export function addressBehind(
  socket: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trustedProxies: number,
): string {
  const entries = [forwardedFor ?? []].flat().flatMap((line) => line.split(','))
  const written = trustedProxies === 0 ? undefined : entries.at(-trustedProxies)
  return plainAddress(written ?? '') ?? plainAddress(socket ?? '') ?? 'unknown'
}

/** The bare address out of how proxies write it, with port, brackets or zone; null for what is none. */
function plainAddress(written: string): string | null {
  const text = written.trim()
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^\d[\d.]+:\d+$/.test(text) ? text.replace(/:\d+$/, '') : text)
  const address = bare.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  return isIP(address) === 0 ? null : address
}

/**
 * The network of an address, for what is kept longer: `192.0.2.0/24`, `2001:db8:1::/48`, which is a site (RFC 6177). Once
 * shortened it stays so.
 */
export function shortAddress(address: string): string {
  const family = isIP(address)
  if (family === 0) return /\/(?:24|48)$/.test(address) ? address : 'unknown'
  return `${networkOf(address, 24, 48)}/${family === 4 ? 24 : 48}`
}

/** Whom an address stands for when tries are counted: in IPv6 everybody has a whole /64 to choose from (RFC 4291). */
export function oneAsking(address: string): string {
  return networkOf(address, 32, 64)
}

function networkOf(address: string, bits4: number, bits6: number): string {
  const family = isIP(address)
  if (family === 4) return [...address.split('.').slice(0, bits4 / 8), '0', '0', '0', '0'].slice(0, 4).join('.')
  if (family === 6)
    return `${groupsOf(address)
      .slice(0, bits6 / 16)
      .join(':')}::`
  return address
}

/** All eight groups, of which `::` leaves out those that are zero. */
function groupsOf(address: string): string[] {
  const [before = '', after] = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, asGroups).split('::')
  const [left, right] = [before, after ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = after === undefined ? 0 : 8 - (left?.length ?? 0) - (right?.length ?? 0)
  return [...(left ?? []), ...Array<string>(Math.max(0, zeros)).fill('0'), ...(right ?? [])].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
}

function asGroups(_: string, ...parts: string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

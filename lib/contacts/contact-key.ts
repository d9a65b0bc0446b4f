import type { Lead } from '@/lib/contract/lead'
import { toPlainCharacters } from '@/lib/leads/plain-characters'
import { normalizePhone } from './phone'

/** The key of a missing e-mail or phone. */
export const NO_KEY = 0

/** Returns a lead's e-mail and phone as the service writes them. */
export function readContactDetails(lead: Lead): { email: string | null; phone: string | null } {
  return 'user' in lead ? lead.user : lead.sender
}

/** Removes `mailto:` and brackets around an address. */
export function toPlainEmail(email: string): string {
  return toPlainCharacters(email)
    .trim()
    .replace(/^<?(?:mailto:)?<?|>$/gi, '')
}

/** Returns the form in which addresses are compared: in lower case without spaces. */
export function toComparableEmail(email: string | null): string | null {
  return email === null ? null : toPlainEmail(email).replace(/\s+/g, '').toLowerCase() || null
}

export function toComparablePhone(phone: string | null): string | null {
  return phone === null ? null : normalizePhone(phone) || null
}

export function hashEmail(email: string | null): number {
  return hashToNumber(toComparableEmail(email), 1)
}

export function hashPhone(phone: string | null): number {
  return hashToNumber(toComparablePhone(phone), 2)
}

/** Hashes to 53 bits, by two multiplicative hashes in the manner of FNV-1a. Contacts are shown by their texts, as hashes can be forged. */
export function hashToNumber(text: string | null, seed: number): number {
  if (text === null) return NO_KEY
  let high = 0x9e3779b9 ^ seed
  let low = 0x85ebca6b ^ seed
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0xcc9e2d51)
  }
  high = mix(high ^ (low >>> 15))
  low = mix(low ^ (high >>> 13))
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0) || NO_KEY + 1
}

/** Spreads each bit over all (lowbias32 by Chris Wellons). */
function mix(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const second = Math.imul(first ^ (first >>> 15), 0x846ca68b)
  return second ^ (second >>> 16)
}

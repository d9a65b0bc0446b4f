import { toE164 } from './phone'

/** What stands in a key column for a lead without an e-mail or a phone. */
export const NO_KEY = 0

/** Two e-mails are the same but for case and white space around them; null when there is none. */
export function comparableEmail(email: string | null): string | null {
  return email === null ? null : email.trim().toLowerCase() || null
}

/** Two phones are the same in whatever spelling; what is no number is compared as it stands. Null when there is none. */
export function comparablePhone(phone: string | null): string | null {
  return phone === null ? null : (toE164(phone) ?? phone.trim()) || null
}

/** A number for an e-mail, equal for equal ones; `NO_KEY` without one. */
export function emailKey(email: string | null): number {
  return keyOf(comparableEmail(email), 1)
}

/** A number for a phone, equal for equal ones; `NO_KEY` without one. */
export function phoneKey(phone: string | null): number {
  return keyOf(comparablePhone(phone), 2)
}

/**
 * 53 bits of a hash (two rounds of multiply and xor, after Bret Mulvey's Fowler–Noll–Vo variant): 100 000 leads collide by
 * chance once in a million snapshots. It can be forged, so whoever shows leads together compares the texts as well.
 */
export function keyOf(text: string | null, seed: number): number {
  if (text === null) return NO_KEY
  let high = 0x9e3779b9 ^ seed
  let low = 0x85ebca6b ^ seed
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0xcc9e2d51)
  }
  high = mix(high ^ (low >>> 15))
  low = mix(low ^ (high >>> 13))
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0) || 1
}

function mix(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const second = Math.imul(first ^ (first >>> 15), 0x846ca68b)
  return second ^ (second >>> 16)
}

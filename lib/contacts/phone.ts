import { plainCharacters } from '@/lib/leads/plain-characters'
import { parsePhone, parsePersonalNumber } from './plain-phone'

/** The service usually writes phones so; a 0 after the country's code is a stray one. */
const PLAIN_E164 = /^\+(?!460)[1-9]\d{6,14}$/

/** Returns E.164, or null, also for what looks like a personal number. It is made by hand, because every lead passes here. */
export function toE164(raw: string): string | null {
  if (PLAIN_E164.test(raw)) return raw
  const text = plainCharacters(raw)
  return parsePersonalNumber(text) === null ? parsePhone(text) : null
}

/**
 * Returns what phones are compared by: E.164, or the text. A personal number is compared as if it were a phone: a hyphen
 * at another place ("070123-4567") must not show a person who is protected by the number.
 */
export function normalizePhone(raw: string): string {
  if (PLAIN_E164.test(raw)) return raw
  const text = plainCharacters(raw)
  const short = parsePersonalNumber(text) ?? text
  return parsePhone(short) ?? short.trim().toLowerCase()
}

export function isLikePersonalNumber(raw: string): boolean {
  return !PLAIN_E164.test(raw) && parsePersonalNumber(plainCharacters(raw)) !== null
}

import { toPlainCharacters } from '@/lib/leads/plain-characters'
import { parsePersonalNumber, parsePhone } from './plain-phone'

/** The service usually writes phones like this; a 0 after the country code is a mistake. */
const PLAIN_E164 = /^\+(?!460)[1-9]\d{6,14}$/

/** Returns E.164, or null, also for what looks like a personal number. Every lead passes here, which a library would slow down. */
export function toE164(raw: string): string | null {
  if (PLAIN_E164.test(raw)) return raw
  const text = toPlainCharacters(raw)
  return parsePersonalNumber(text) === null ? parsePhone(text) : null
}

/**
 * Returns the form in which phones are compared: E.164, or the text. A personal number is compared as a phone, because a hyphen at
 * another place ("070123-4567") must not show a person who is protected by the number.
 */
export function normalizePhone(raw: string): string {
  if (PLAIN_E164.test(raw)) return raw
  const text = toPlainCharacters(raw)
  const plain = parsePersonalNumber(text) ?? text
  return parsePhone(plain) ?? plain.trim().toLowerCase()
}

export function isLikePersonalNumber(raw: string): boolean {
  return !PLAIN_E164.test(raw) && parsePersonalNumber(toPlainCharacters(raw)) !== null
}

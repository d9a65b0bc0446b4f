import { toPlainCharacters } from '@/lib/leads/plain-characters'
import { parsePersonalNumber } from './personal-number'
import { parsePhone } from './plain-phone'

/** The service usually writes phones like this; a 0 after +46 is a mistake, which `parsePhone` mends. */
const PLAIN_E164 = /^\+(?!460)[1-9]\d{6,14}$/

/** Returns E.164, or null, as for a likely personal number. It runs for every lead; a library is too slow. */
export function toE164(raw: string): string | null {
  if (PLAIN_E164.test(raw)) return raw
  const text = toPlainCharacters(raw)
  return parsePersonalNumber(text) === null ? parsePhone(text) : null
}

/** Returns the form in which phones are compared. A personal number is one, so that no spelling shows its person. */
export function normalizePhone(raw: string): string {
  if (PLAIN_E164.test(raw)) return raw
  const text = toPlainCharacters(raw)
  const plain = parsePersonalNumber(text) ?? text
  return parsePhone(plain) ?? plain.trim().toLowerCase()
}

export function isLikePersonalNumber(raw: string): boolean {
  return !PLAIN_E164.test(raw) && parsePersonalNumber(toPlainCharacters(raw)) !== null
}

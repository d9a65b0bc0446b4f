import { toE164 } from './to-e164'

const NON_DIGITS = /\D+/g

/**
 * The digits to search a phone by: international, and for Sweden national, so that "070-17", "+46 70 17" and "0046 70 17"
 * all meet it once their own separators are gone (`phoneQueryDigits`).
 */
export function phoneSearchText(raw: string): string {
  const number = toE164(raw)
  if (number === null) return raw.replace(NON_DIGITS, '')
  const digits = number.slice(1)
  return digits.startsWith('46') ? `${digits} 0${digits.slice(2)}` : digits
}

import { parsePersonalNumber } from './personal-number'

/* The first script needs phones in plain characters only, so `phone.ts` handles all others. */

/** Punctuation, symbols and spaces may stand between the digits of a phone; the excluded signs separate two numbers. */
export const BETWEEN_DIGITS = String.raw`(?:(?![+#*,;])[\p{P}\p{S}\s])+`
const SEPARATORS = new RegExp(BETWEEN_DIGITS, 'gu')
/** Matches "tel:" (RFC 3966) or "Mobil:" before a number, and commas, semicolons and spaces after it. */
const LABEL_OR_TRAILING_SEPARATORS = /^\s*\p{L}+[.:]|[,;\s]+$/gu
const E164 = /^\+[1-9]\d{6,14}$/

/** Returns E.164, or null. The 0 of "+46 (0)70 …" is dropped; a leading 0 or 46 is Swedish. */
export function parsePhone(plain: string): string | null {
  const compact = plain.replace(LABEL_OR_TRAILING_SEPARATORS, '').replace(SEPARATORS, '')
  const digits = compact.replace(/^(?:\+|00)/, '')
  const isInternational = digits !== compact || digits.startsWith('46')
  if (!isInternational && !compact.startsWith('0')) return null
  const international = isInternational ? digits : `46${digits.slice(1)}`
  const number = `+${international.replace(/^460+/, '46')}`
  return E164.test(number) ? number : null
}

/** Digits are written in pairs, and begin with a group of three if their number is odd. Eight are 3, 3 and 2. */
const PAIRS = /^\d{3}(?=(?:\d\d)+$)|\d\d/g
const GROUPS_OF_EIGHT = /\d{3}|\d\d/g
/** The area codes without their 0 (PTS): Stockholm's has one digit, and these others two. All the rest have three. */
const AREA_CODE = /^(?:8|7\d|1[013689]|2[0136]|3[1356]|4[0246]|54|6[03]|90(?=[1-9])|\d{3})/

/** Formats a number as Swedish staff write it (SS 03 18 10, numbering plan of PTS). Any other text stays as it is. */
export function formatPhone(text: string): string {
  const number = parsePersonalNumber(text) === null ? parsePhone(text) : null
  if (number === null) return text
  if (!number.startsWith('+46')) return text.trim().startsWith('+') ? text.trim() : number
  return formatSwedishPhone(number) ?? text
}

/** Takes `+46` with the national number, and returns null if no Swedish number has so many digits. */
export function formatSwedishPhone(number: string): string | null {
  const national = number.slice(3)
  if (national.length < 7 || national.length > 9) return null
  const [area = ''] = AREA_CODE.exec(national) ?? []
  const subscriber = national.slice(area.length)
  const groups = subscriber.match(subscriber.length === 8 ? GROUPS_OF_EIGHT : PAIRS) ?? []
  return `0${area}-${groups.join(' ')}`
}

import { isLikePersonalNumber, toE164 } from '@/lib/contacts/phone'
import { formatSwedishPhone } from '@/lib/contacts/plain-phone'

/** Matches a phone that `formatPhoneForFile` could parse and group. */
export const GROUPED_PHONE = /^\+\d+(?: \d+)+$/

const UNDASHED_PERSONAL_NUMBER = /^(\d{6,8})(\d{4})$/
/** The country codes of one and two digits (ITU-T E.164); all others have three. */
const COUNTRY_CODE = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/**
 * Writes a phone as `+46 70 123 45 67`, which a spreadsheet takes for text. What cannot be parsed stays as it is. The
 * last group never has three digits, because a Swedish spreadsheet would read it as thousands. A personal number gets
 * its dash, because without it a spreadsheet would read a number.
 */
export function formatPhoneForFile(raw: string): string {
  const number = toE164(raw)
  if (number === null) return isLikePersonalNumber(raw) ? raw.replace(UNDASHED_PERSONAL_NUMBER, '$1-$2') : raw
  const national = number.startsWith('+46') ? formatSwedishPhone(number) : null
  if (national !== null) return `+46 ${national.slice(1).replace('-', ' ')}`
  const [countryCode = ''] = COUNTRY_CODE.exec(number) ?? []
  const digits = number.slice(countryCode.length)
  const firstGroupLength = digits.length % 2 === 0 ? 2 : 3
  const pairs = digits.slice(firstGroupLength).replace(/\d\d/g, ' $&')
  return `${countryCode} ${digits.slice(0, firstGroupLength)}${pairs}`
}

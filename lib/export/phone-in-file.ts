import { displayPhone } from '@/lib/phone/display-phone'
import { toE164 } from '@/lib/phone/to-e164'

/** What `phoneInFile` makes of a number: safe in a spreadsheet, for no formula has digits in groups. */
export const GROUPED_PHONE = /^\+\d+(?: \d+)+$/

/**
 * A phone as `+46 70 123 45 67`, so that a spreadsheet takes it for text; one that cannot be read as it came. The last group
 * never has three digits: where spaces part the thousands, as in Swedish, that could be a number.
 */
export function phoneInFile(raw: string): string {
  const number = toE164(raw)
  if (number === null) return raw
  const national = displayPhone(number)
  if (number.startsWith('+46') && national.startsWith('0')) {
    return `+46 ${national.slice(1).replace('-', ' ')}`
  }
  const [country = ''] = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/.exec(number) ?? []
  return `${country} ${inPairs(number.slice(country.length))}`
}

function inPairs(digits: string): string {
  const odd = digits.length % 2 === 0 ? 0 : Math.min(3, digits.length)
  const pairs = digits.slice(odd).replace(/\d\d(?=\d)/g, '$& ')
  return [digits.slice(0, odd), pairs].filter((part) => part !== '').join(' ')
}

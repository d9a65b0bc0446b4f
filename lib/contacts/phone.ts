/** What people write between the digits of a phone, in a class of a regular expression. */
export const MARKS = String.raw`\s().\-–—/\u00a0\u200e\u200f\u202a-\u202e`
const SEPARATORS = new RegExp(`[${MARKS}]+`, 'g')

const E164 = /^\+[1-9]\d{6,14}$/

/** E.164, or null. A leading 0 is Swedish; the 0 of "+46 (0)70 …" is dropped. By hand: every lead passes here. */
export function toE164(raw: string): string | null {
  const compact = raw.replace(SEPARATORS, '')
  const digits = compact.replace(/^(?:\+|00)/, '')
  const isInternational = digits !== compact || digits.startsWith('46')
  if (!isInternational && !compact.startsWith('0')) return null
  const international = isInternational ? digits : `46${digits.slice(1)}`
  const number = `+${international.startsWith('460') ? `46${international.slice(3)}` : international}`
  return E164.test(number) ? number : null
}

/** As Swedish staff write it, or as it came. Groups: SS 03 18 10, numbering plan of PTS. */
export function displayPhone(raw: string): string {
  const number = toE164(raw)
  if (number === null) return raw
  if (!number.startsWith('+46')) return raw.trim().startsWith('+') ? raw.trim() : number
  const national = number.slice(3)
  if (national.length < 7 || national.length > 9) return raw
  const areaLength = national.startsWith('8') ? 1 : THREE_DIGIT_AREAS.test(national) ? 2 : 3
  return `0${national.slice(0, areaLength)}-${groups(national.slice(areaLength))}`
}

const THREE_DIGIT_AREAS = /^(?:7|1[013689]|2[0136]|3[1356]|4[0246]|54|6[03]|90[1-9])/

function groups(subscriber: string): string {
  const sizes: Record<number, number[]> = { 4: [2, 2], 5: [3, 2], 6: [2, 2, 2], 7: [3, 2, 2], 8: [3, 3, 2] }
  let from = 0
  return (sizes[subscriber.length] ?? [subscriber.length])
    .map((size) => subscriber.slice(from, (from += size)))
    .join(' ')
}

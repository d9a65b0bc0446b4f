const MARKS = String.raw`\s().\-–—/\u00a0\u200e\u200f\u202a-\u202e`
const SEPARATORS = new RegExp(`[${MARKS}]+`, 'g')

/** What people write between the digits of a phone: what `toE164` passes over, and the hyphens and dashes of word processors. */
export const BETWEEN_DIGITS = new RegExp(String.raw`(?<=\d)[${MARKS}\u2010-\u2015\u2212\u200b\u2060]+(?=\d)`, 'g')

const E164 = /^\+[1-9]\d{6,14}$/

/**
 * A phone in E.164 (`+46701234567`), or null when it cannot be one. A leading 0 is read as Sweden, as the senders mean it;
 * a stray trunk zero after the country code ("+46 (0)70 …") is dropped. By hand because every lead passes here.
 */
export function toE164(raw: string): string | null {
  const compact = raw.replace(SEPARATORS, '')
  const international = compact.startsWith('+')
    ? compact
    : compact.startsWith('00')
      ? `+${compact.slice(2)}`
      : compact.startsWith('0')
        ? `+46${compact.slice(1)}`
        : `+${compact}`
  const number = international.startsWith('+460') ? `+46${international.slice(4)}` : international
  if (!compact.startsWith('+') && !compact.startsWith('0') && !compact.startsWith('46')) return null
  return E164.test(number) ? number : null
}

/**
 * A phone as Swedish staff write it: `070-123 45 67` for Swedish mobiles, `08-123 456 78` style for landlines,
 * `+47 …` grouped for others; one that cannot be parsed is shown as it came.
 * Source of the groups: SS 03 18 10 and Post- och telestyrelsen's numbering plan.
 */
export function displayPhone(raw: string): string {
  const number = toE164(raw)
  if (number === null) return raw
  if (!number.startsWith('+46')) return raw.trim().startsWith('+') ? raw.trim() : number
  const national = number.slice(3)
  if (national.length < 7 || national.length > 9) return raw
  const areaLength = areaCodeLength(national)
  return `0${national.slice(0, areaLength)}-${groups(national.slice(areaLength))}`
}

/** With the leading zero: 010, 011, 07x and so on. */
const THREE_DIGIT_AREAS = /^(?:7|1[013689]|2[0136]|3[1356]|4[0246]|54|6[03]|90[1-9])/

/** Length of the area code without its zero: 08 one, everything on 07 and large towns two, the rest three. */
function areaCodeLength(national: string): number {
  if (national.startsWith('8')) return 1
  return THREE_DIGIT_AREAS.test(national) ? 2 : 3
}

function groups(subscriber: string): string {
  const sizes: Record<number, number[]> = { 4: [2, 2], 5: [3, 2], 6: [2, 2, 2], 7: [3, 2, 2], 8: [3, 3, 2] }
  let from = 0
  return (sizes[subscriber.length] ?? [subscriber.length])
    .map((size) => subscriber.slice(from, (from += size)))
    .join(' ')
}

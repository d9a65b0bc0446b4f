const SEPARATORS = /[\s().\-–—/\u00a0\u200e\u200f\u202a-\u202e]+/g
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

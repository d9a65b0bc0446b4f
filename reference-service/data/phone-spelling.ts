import type { Random } from './random'

/** A number like `+46701740612` in the ways people write it. */
export const phoneSpellings: readonly ((e164: string) => string)[] = [
  (e164) => `0${digits(e164).join('')}`,
  (e164) => grouped(e164, '0', '-'),
  (e164) => grouped(e164, '0', ' '),
  (e164) => grouped(e164, '+46 ', ' '),
  (e164) => `0046${digits(e164).join('')}`,
  (e164) => grouped(e164, '+46 (0)', '-'),
]

/** Another spelling of the number; one that is no plain Swedish mobile number stays as it is. */
export function spellPhone(random: Random, e164: string): string {
  if (!/^\+467\d{8}$/.test(e164)) return e164
  return random.pickEarly(phoneSpellings)(e164)
}

function grouped(e164: string, prefix: string, afterArea: string): string {
  const [area = '', three = '', two = '', last = ''] = digits(e164)
  return `${prefix}${area}${afterArea}${three} ${two} ${last}`
}

function digits(e164: string): string[] {
  const national = e164.slice('+46'.length)
  return [national.slice(0, 2), national.slice(2, 5), national.slice(5, 7), national.slice(7)]
}

import type { Random } from './random'

/** The mobile numbers 070-174 06 05 to 99 are kept free for fiction; the quirks use those before the first of these. */
const FICTIONAL = { first: 701_740_620, count: 80 }
/** 074 was for pagers and is out of use, yet looks like a mobile number. */
const PAGERS = { first: 740_000_000, count: 10_000_000 }
const NATIONAL_LENGTH = 9

/** Invents phone numbers as +46 and nine digits: none twice, and none that `known` has in any spelling. */
export function createPhoneInventor(random: Random, known: readonly (string | null)[]): () => string {
  const taken = new Set(known.map((phone) => phone?.replaceAll(/\D/g, '').slice(-NATIONAL_LENGTH)))
  const firstPager = random.below(PAGERS.count)
  let index = 0

  return function inventPhone(): string {
    for (;;) {
      // The step has no common divisor with the count, so numbers repeat only after all ten million.
      const pager = PAGERS.first + ((firstPager + index * 3_141_593) % PAGERS.count)
      const national = String(index < FICTIONAL.count ? FICTIONAL.first + index : pager)
      index++
      if (!taken.has(national)) return `+46${national}`
    }
  }
}

/** Spells a number that `createPhoneInventor` made the way people do; any other stays as it is. */
export function spellPhone(random: Random, phone: string): string {
  const [, area, ...groups] = /^\+46(7\d)(\d{3})(\d\d)(\d\d)$/.exec(phone) ?? []
  if (area === undefined) return phone
  const [plain, spaced] = [groups.join(''), groups.join(' ')]
  return random.pickEarly([
    `0${area}${plain}`,
    `0${area}-${spaced}`,
    `0${area} ${spaced}`,
    `+46 ${area} ${spaced}`,
    `0046${area}${plain}`,
    `+46 (0)${area}-${spaced}`,
  ])
}

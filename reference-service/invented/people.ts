import { cumulativeShares, type Random } from './random'
import names from './words/names.json'

export type Person = { firstName: string; lastName: string; email: string; phone: string }

type Origin = keyof typeof names.lastNames
/** The origins of names, and the shares of people in a Swedish school who have names of each. */
const origins = Object.keys(names.originWeights) as Origin[]
const originShares = cumulativeShares(Object.values(names.originWeights))

/** Splits a list of words, the most frequent first. `_` stands for a space within a word. */
export function splitWords(text: string): string[] {
  return text.split(' ').map((word) => word.replaceAll('_', ' '))
}

const wordsByOrigin = (texts: Record<Origin, string>) =>
  Object.fromEntries(Object.entries(texts).map(([origin, text]) => [origin, splitWords(text)])) as Record<
    Origin,
    string[]
  >
const firstNames = wordsByOrigin(names.firstNames)
const lastNames = wordsByOrigin(names.lastNames)
const parentFirstNames = splitWords(names.parentFirstNames)
/** These domains are reserved for documentation (RFC 2606; example.se is the Swedish registry's own). */
const domains = ['example.se', 'example.com', 'example.org', 'example.se', 'example.com', 'example.se'] as const
/** The mobile numbers 070-174 06 05 to 99 are kept free for fiction; the quirks use those before the first of these. */
const reserved = { first: 701_740_620, count: 80 }
/** 074 was for pagers and is out of use, yet looks like a mobile number. */
const pagers = { first: 740_000_000, count: 10_000_000 }

/** Nobody gets an e-mail address or phone of `known`, in any spelling, because a shared one would make them one contact. */
export function createPeople(seeded: Random, known: readonly { email: string | null; phone: string | null }[]) {
  // Phones are compared by their last nine digits, without the country's or a trunk's digits.
  const taken = new Set(
    known.flatMap(({ email, phone }) => [email?.toLowerCase() ?? '', phone?.replaceAll(/\D/g, '').slice(-9) ?? '']),
  )
  const firstPager = seeded.below(pagers.count)
  let phones = 0

  function inventEmail(random: Random, firstName: string, lastName: string, birthYear: number): string {
    const domain = random.pick(domains)
    const [given, family] = [toAscii(firstName, ''), toAscii(lastName, '')]
    for (let attempt = 0; ; attempt++) {
      const local =
        attempt > 2
          ? `${given}.${family}${random.below(10 ** Math.min(attempt, 6))}`
          : random.pick(localParts)(given, family, birthYear)
      const email = `${local}@${domain}`
      if (taken.has(email)) continue
      taken.add(email)
      return email
    }
  }

  return function inventPerson(random: Random, birthYear: number): Person {
    const origin = origins[random.pickIndex(originShares)] ?? 'swedish'
    const named = random.chance(0.12) ? 'swedish' : origin
    const given = named === 'swedish' && birthYear < 1995 ? parentFirstNames : firstNames[named]
    const firstName = random.pickEarly(given, commonCount(given))
    const family = lastNames[random.chance(0.06) ? 'swedish' : origin]
    const lastName = random.pickEarly(family, commonCount(family))
    const email = inventEmail(random.fork(), firstName, lastName, birthYear)
    for (;;) {
      const index = phones++
      // The step has no common divisor with the count, so numbers repeat only after all ten million.
      const pager = pagers.first + ((firstPager + index * 3_141_593) % pagers.count)
      const phone = String(index < reserved.count ? reserved.first + index : pager)
      if (!taken.has(phone)) return { firstName, lastName, email, phone: `+46${phone}` }
    }
  }
}

/** Only half of a list is used, because two rare names together could be those of a real child. */
export function commonCount({ length }: readonly string[]): number {
  return Math.ceil(length / 2)
}

const localParts: readonly ((given: string, family: string, birthYear: number) => string)[] = [
  (given, family) => `${given}.${family}`,
  (given, family, birthYear) => `${given}.${family}${twoDigits(birthYear)}`,
  (given, family) => `${given}${family}`,
  (given, family) => `${given[0]}.${family}`,
  (given, family, birthYear) => `${given}.${family.slice(0, 3)}${twoDigits(birthYear)}`,
  (given, family) => `${given}_${family}`,
  (given, family) => `${family}.${given}`,
  (given, _, birthYear) => `${given}${birthYear}`,
]

function twoDigits(year: number): string {
  return String(year % 100).padStart(2, '0')
}

/** Keeps a to z and digits, and replaces everything else by `separator`. */
export function toAscii(text: string, separator: '' | '-'): string {
  return text
    .toLowerCase()
    .replace(/[łđı]/g, (letter) => plain[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, separator)
    .replace(/^-|-$/g, '')
}

const plain: Record<string, string> = { ł: 'l', đ: 'd', ı: 'i' }

const phoneSpellings: readonly ((e164: string) => string)[] = [
  (e164) => `0${digits(e164).join('')}`,
  (e164) => grouped(e164, '0', '-'),
  (e164) => grouped(e164, '0', ' '),
  (e164) => grouped(e164, '+46 ', ' '),
  (e164) => `0046${digits(e164).join('')}`,
  (e164) => grouped(e164, '+46 (0)', '-'),
]

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

import { createPhoneInventor } from './phones'
import { cumulativeShares, type Random } from './random'
import names from './words/names.json'

export type Person = { firstName: string; lastName: string; email: string; phone: string }
type ExistingContact = { email: string | null; phone: string | null }

type Origin = keyof typeof names.originWeights
const ORIGINS = Object.keys(names.originWeights) as Origin[]
const ORIGIN_SHARES = cumulativeShares(Object.values(names.originWeights))
const FIRST_NAMES = splitLists(names.firstNames)
const LAST_NAMES = splitLists(names.lastNames)
const PARENT_FIRST_NAMES = splitWords(names.parentFirstNames)

/** Domains reserved for documentation (RFC 2606; example.se is the Swedish registry's own). A repeated one is commoner. */
const DOMAINS = ['example.se', 'example.com', 'example.org', 'example.se', 'example.com', 'example.se']

const LOCAL_PARTS: readonly ((given: string, family: string, birthYear: number) => string)[] = [
  (given, family) => `${given}.${family}`,
  (given, family, birthYear) => `${given}.${family}${toTwoDigits(birthYear)}`,
  (given, family) => `${given}${family}`,
  (given, family) => `${given[0]}.${family}`,
  (given, family, birthYear) => `${given}.${family.slice(0, 3)}${toTwoDigits(birthYear)}`,
  (given, family) => `${given}_${family}`,
  (given, family) => `${family}.${given}`,
  (given, _, birthYear) => `${given}${birthYear}`,
]

/** Families of other origins also choose Swedish names. */
const SWEDISH_SHARES = { firstName: 0.12, lastName: 0.06 }
/** Earlier births are parents, who have first names of their generation. */
const FIRST_PUPIL_BIRTH_YEAR = 1995

const PLAIN_LETTERS: Record<string, string> = { ł: 'l', đ: 'd', ı: 'i' }

/**
 * Invents people. None shares an address or phone with an existing contact in any spelling, because both would count as
 * one contact. Phones start at a number that `phoneRandom` draws.
 */
export function createPersonInventor(phoneRandom: Random, existingContacts: readonly ExistingContact[]) {
  const takenEmails = new Set(existingContacts.map(({ email }) => email?.toLowerCase()))
  const inventPhone = createPhoneInventor(
    phoneRandom,
    existingContacts.map(({ phone }) => phone),
  )

  function inventEmail(random: Random, firstName: string, lastName: string, birthYear: number): string {
    const domain = random.pick(DOMAINS)
    const [given, family] = [toAscii(firstName, ''), toAscii(lastName, '')]
    for (let attempt = 0; ; attempt++) {
      // After three tries a number is added until the address is unique.
      const local =
        attempt > 2
          ? `${given}.${family}${random.below(10 ** Math.min(attempt, 6))}`
          : random.pick(LOCAL_PARTS)(given, family, birthYear)
      const email = `${local}@${domain}`
      if (takenEmails.has(email)) continue
      takenEmails.add(email)
      return email
    }
  }

  return function inventPerson(random: Random, birthYear: number): Person {
    const origin = ORIGINS[random.pickIndex(ORIGIN_SHARES)] ?? 'swedish'
    const firstNameOrigin = random.chance(SWEDISH_SHARES.firstName) ? 'swedish' : origin
    const hasParentName = firstNameOrigin === 'swedish' && birthYear < FIRST_PUPIL_BIRTH_YEAR
    const firstName = pickCommon(random, hasParentName ? PARENT_FIRST_NAMES : FIRST_NAMES[firstNameOrigin])
    const lastName = pickCommon(random, LAST_NAMES[random.chance(SWEDISH_SHARES.lastName) ? 'swedish' : origin])
    const email = inventEmail(random.fork(), firstName, lastName, birthYear)
    return { firstName, lastName, email, phone: inventPhone() }
  }
}

function pickCommon(random: Random, words: readonly string[]) {
  return random.pickEarly(words, countCommon(words))
}

function splitLists(lists: Record<Origin, string>) {
  return Object.fromEntries(ORIGINS.map((origin) => [origin, splitWords(lists[origin])])) as Record<Origin, string[]>
}

/** Splits a list of words, the most frequent first. `_` stands for a space within a word. */
export function splitWords(list: string): string[] {
  return list.split(' ').map((word) => word.replaceAll('_', ' '))
}

/** Only half of a list is used, because two rare names together could be those of a real child. */
export function countCommon({ length }: readonly string[]): number {
  return Math.ceil(length / 2)
}

function toTwoDigits(year: number) {
  return String(year % 100).padStart(2, '0')
}

/** Writes letters without accents, and replaces all but a to z and digits by `separator`, except at the ends. */
export function toAscii(text: string, separator: '' | '-'): string {
  return text
    .toLowerCase()
    .replace(/[łđı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, separator)
    .replace(/^-|-$/g, '')
}

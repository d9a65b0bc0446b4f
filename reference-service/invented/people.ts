import { createPhoneInventor } from './phones'
import { cumulativeShares, type Random } from './random'
import names from './words/names.json'

export type Person = { firstName: string; lastName: string; email: string; phone: string }

type Origin = keyof typeof names.originWeights
const origins = Object.keys(names.originWeights) as Origin[]
const originShares = cumulativeShares(Object.values(names.originWeights))
const firstNames = splitLists(names.firstNames)
const lastNames = splitLists(names.lastNames)
const parentFirstNames = splitWords(names.parentFirstNames)

/** Invents people. Nobody gets an e-mail address or phone of `known`, in any spelling, because a shared one would make them one contact. */
export function createPersonInventor(seeded: Random, known: readonly { email: string | null; phone: string | null }[]) {
  const takenEmails = new Set(known.map(({ email }) => email?.toLowerCase()))
  const inventPhone = createPhoneInventor(
    seeded,
    known.map(({ phone }) => phone),
  )

  function inventEmail(random: Random, firstName: string, lastName: string, birthYear: number): string {
    const domain = random.pick(domains)
    const [given, family] = [toAscii(firstName, ''), toAscii(lastName, '')]
    for (let attempt = 0; ; attempt++) {
      const local =
        attempt > 2
          ? `${given}.${family}${random.below(10 ** Math.min(attempt, 6))}`
          : random.pick(localParts)(given, family, birthYear)
      const email = `${local}@${domain}`
      if (takenEmails.has(email)) continue
      takenEmails.add(email)
      return email
    }
  }

  return function inventPerson(random: Random, birthYear: number): Person {
    const origin = origins[random.pickIndex(originShares)] ?? 'swedish'
    const firstNameOrigin = random.chance(0.12) ? 'swedish' : origin
    const isSwedishParent = firstNameOrigin === 'swedish' && birthYear < 1995
    const firstName = pickCommon(random, isSwedishParent ? parentFirstNames : firstNames[firstNameOrigin])
    const lastName = pickCommon(random, lastNames[random.chance(0.06) ? 'swedish' : origin])
    const email = inventEmail(random.fork(), firstName, lastName, birthYear)
    return { firstName, lastName, email, phone: inventPhone() }
  }
}

function pickCommon(random: Random, words: readonly string[]): string {
  return random.pickEarly(words, commonCount(words))
}

function splitLists(lists: Record<Origin, string>) {
  return Object.fromEntries(origins.map((origin) => [origin, splitWords(lists[origin])])) as Record<Origin, string[]>
}

/** Splits a list of words, the most frequent first. `_` stands for a space within a word. */
export function splitWords(list: string): string[] {
  return list.split(' ').map((word) => word.replaceAll('_', ' '))
}

/** Only half of a list is used, because two rare names together could be those of a real child. */
export function commonCount({ length }: readonly string[]): number {
  return Math.ceil(length / 2)
}

/** These domains are reserved for documentation (RFC 2606; example.se is the Swedish registry's own). */
const domains = ['example.se', 'example.com', 'example.org', 'example.se', 'example.com', 'example.se']

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
    .replace(/[łđı]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, separator)
    .replace(/^-|-$/g, '')
}

const plainLetters: Record<string, string> = { ł: 'l', đ: 'd', ı: 'i' }

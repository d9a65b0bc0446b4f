import type { Lead } from '@/lib/contract/lead'
import { escapeRegExp } from '@/lib/escape-reg-exp'
import { foldText } from '@/lib/leads/comparable-text'
import { toTraces } from './contact-leads'
import { BETWEEN_DIGITS } from './plain-phone'

export type PersonIdentifiers = { email: string | null; phone: string | null; firstName: string; lastName: string }

const SEPARATORS_IN_NUMBER = new RegExp(String.raw`(?<=\d)${BETWEEN_DIGITS}(?=\d)`, 'gu')
/** A number with fewer digits may be a year or a class. */
const MIN_PHONE_DIGITS = 7
/** These parts of surnames identify nobody, because many are also common words. */
const PARTICLES = new Set('af al av da das de del della den der di dos du el la le ten ter van von zu'.split(' '))

/** Finds the persons whom a text names by e-mail, phone, or first given name and a word of the surname. */
export function createPersonMatcher(persons: readonly PersonIdentifiers[]): (text: string) => number[] {
  const patterns = persons.map(({ email, phone, firstName, lastName }) => {
    const [first, last] = [foldText(firstName), foldText(lastName)]
    // If one field has all names, its first word is the given name.
    const [given = '', ...otherNames] = (first || last).split(' ')
    const surnameWords = splitWords(first === '' || last === '' ? otherNames.join(' ') : last)
    const distinctiveWords = surnameWords.filter((word) => word.length > 1 && !PARTICLES.has(word))
    const address = escapeRegExp(foldText(email ?? ''))
    return {
      email: email === null ? null : new RegExp(`(?<![\\w.+-])${address}(?![\\w-])`, 'u'),
      phoneDigits: phone === null ? '' : phone.replace(/^\+46/, '').replaceAll(/\D/g, ''),
      givenNames: splitWords(given),
      surnameWords: distinctiveWords.length > 0 ? distinctiveWords : surnameWords,
    }
  })
  return (text) => {
    const folded = foldText(text)
    const digits = folded.replaceAll(SEPARATORS_IN_NUMBER, '')
    const wordCounts = new Map<string, number>()
    for (const word of splitWords(folded)) {
      // A Swedish genitive ends in s.
      const forms = word.endsWith('s') ? [word, word.slice(0, -1)] : [word]
      for (const form of forms) wordCounts.set(form, (wordCounts.get(form) ?? 0) + 1)
    }
    // A surname that equals the given name must occur twice.
    const hasWord = (word: string, minTimes = 1) => (wordCounts.get(word) ?? 0) >= minTimes
    return patterns.flatMap(({ email, phoneDigits, givenNames, surnameWords }, index) => {
      const isNamed =
        (email !== null && email.test(folded)) ||
        (phoneDigits.length >= MIN_PHONE_DIGITS && digits.includes(phoneDigits)) ||
        givenNames.some((name) => hasWord(name) && surnameWords.some((word) => hasWord(word, word === name ? 2 : 1)))
      return isNamed ? [index] : []
    })
  }
}

function splitWords(folded: string): string[] {
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

export function toPersonIdentifiers(lead: Lead): PersonIdentifiers {
  const { email, phone } = toTraces(lead)
  const { firstName, lastName } = 'user' in lead ? lead.user : { firstName: null, lastName: null }
  return { email, phone, firstName: firstName ?? '', lastName: lastName ?? '' }
}

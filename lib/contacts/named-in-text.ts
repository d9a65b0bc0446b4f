import type { Lead } from '@/lib/contract/lead'
import { foldText } from '@/lib/leads/comparable-text'
import { tracesOf } from './contact-leads'
import { BETWEEN_DIGITS } from './plain-phone'

export type NamedBy = { email: string | null; phone: string | null; firstName: string; lastName: string }

export function namedBy(lead: Lead): NamedBy {
  const { email, phone } = tracesOf(lead)
  const { firstName, lastName } = 'user' in lead ? lead.user : { firstName: null, lastName: null }
  return { email, phone, firstName: firstName ?? '', lastName: lastName ?? '' }
}

const WITHIN_NUMBERS = new RegExp(String.raw`(?<=\d)${BETWEEN_DIGITS}(?=\d)`, 'gu')

/**
 * Which persons a text names: by e-mail, phone, or the first given name and a word of the surname, in any order and
 * with a genitive s or without. One name is too many people's; nicknames and misspellings are not found.
 */
export function personsNamed(persons: readonly NamedBy[]): (text: string) => number[] {
  const wanted = persons.map(({ email, phone, ...name }) => ({
    email: email === null ? null : new RegExp(`(?<![\\w.+-])${escapeRegExp(foldText(email))}(?![\\w-])`, 'u'),
    digits: phone === null ? '' : phone.replace(/^\+46/, '').replaceAll(/\D/g, ''),
    ...tellingNames(name),
  }))
  return (text) => {
    const folded = foldText(text)
    const digits = folded.replaceAll(WITHIN_NUMBERS, '')
    const times = timesOfWords(folded)
    const has = (word: string, min: number) => (times.get(word) ?? 0) >= min
    return wanted.flatMap((one, at) => {
      const isNamed =
        (one.email !== null && one.email.test(folded)) ||
        (one.digits.length >= MIN_DIGITS && digits.includes(one.digits)) ||
        one.given.some((name) => has(name, 1) && one.family.some((word) => has(word, word === name ? 2 : 1)))
      return isNamed ? [at] : []
    })
  }
}

/** Fewer digits may be a year or a class. */
const MIN_DIGITS = 7

/** Parts of surnames that many sentences have. */
const PARTICLES = new Set('af al av da das de del della den der di dos du el la le ten ter van von zu'.split(' '))

/** The words of the first given name, and of the surname. Where one field has all, its first word is the given name. */
function tellingNames({ firstName, lastName }: Pick<NamedBy, 'firstName' | 'lastName'>) {
  const [first, last] = [foldText(firstName), foldText(lastName)]
  const [given = '', ...others] = (first || last).split(' ')
  const family = wordsOf(first === '' || last === '' ? others.join(' ') : last)
  const telling = family.filter((word) => word.length > 1 && !PARTICLES.has(word))
  return { given: wordsOf(given), family: telling.length > 0 ? telling : family }
}

function timesOfWords(folded: string): Map<string, number> {
  const times = new Map<string, number>()
  const count = (word: string) => times.set(word, (times.get(word) ?? 0) + 1)
  for (const word of wordsOf(folded)) {
    count(word)
    if (word.endsWith('s')) count(word.slice(0, -1))
  }
  return times
}

function wordsOf(folded: string): string[] {
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

import { foldText } from '@/lib/leads/comparable-text'
import type { Traces } from './contact-leads'

/**
 * Tells which of these persons a text of the staff names: by the whole e-mail, by the phone in whatever spelling, or by first
 * and last name, in any order. A first name alone is too many people's.
 */
export function personsNamed(persons: readonly Omit<Traces, 'createdAt'>[]): (text: string) => number[] {
  const wanted = persons.map(({ email, phone, name }) => ({
    email: email === null ? null : new RegExp(`(?<![\\w.+-])${escaped(foldText(email))}(?![\\w-])`, 'u'),
    digits: phone === null ? '' : phone.replace(/^\+46/, '').replaceAll(/\D/g, ''),
    words: wordsOf(name ?? ''),
  }))
  return (text) => {
    const folded = foldText(text)
    const digits = folded.replaceAll(BETWEEN_DIGITS, '')
    const words = new Set(wordsOf(folded))
    return wanted.flatMap((one, at) => {
      const isNamed =
        (one.email !== null && one.email.test(folded)) ||
        (one.digits.length >= LEAST_DIGITS && digits.includes(one.digits)) ||
        (one.words.length > 1 && one.words.every((word) => words.has(word)))
      return isNamed ? [at] : []
    })
  }
}

/** Fewer digits are no phone, but a year or a class. */
const LEAST_DIGITS = 7
const BETWEEN_DIGITS = /(?<=\d)[\s()./-]+(?=\d)/g

function wordsOf(folded: string): string[] {
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

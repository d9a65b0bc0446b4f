import { foldText } from '@/lib/leads/comparable-text'

/** From this rank on a text has the letters in their order only. */
export const LOOSE = 100

/** Less is better: beginnings, beginnings of words, anything inside, loose letters ("hnt" finds "hantera"). */
export function matchText(text: string, typed: string): number | null {
  const words = foldText(typed.trim()).split(' ')
  const target = foldText(text)
  let sum = 0
  for (const word of words) {
    const rank = rankOf(target, word)
    if (rank === null) return null
    sum += rank
  }
  return sum
}

function rankOf(target: string, word: string): number | null {
  if (target.startsWith(word)) return 0
  if (target.includes(` ${word}`)) return 1
  if (target.includes(word)) return 2
  return hasInOrder(target, word) ? LOOSE : null
}

function hasInOrder(target: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = target.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

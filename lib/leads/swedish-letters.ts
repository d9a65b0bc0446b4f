import type { SearchWord } from './search-terms'
import { type SearchTexts, stands, utf8, type WordFinder } from './search-texts'

/*
 * Where the a and o of search texts are written å, ä, ö: a byte (a mark) for each such letter, the distance from the one
 * before. A twentieth of what a second text with those letters would take, and a search for them looks at nothing else.
 */

const DISTANCE = 0x7f
/** The bit that tells ä from å; an o can only be ö. */
const IS_AE = 0x80
/** A distance that long is gone without coming to a letter yet. */
const FAR = DISTANCE

/** Writes down the letter at `place`, which it answers; `previous` is that of the one before in the same text, or -1. */
export function markLetter(marks: number[], previous: number, place: number, isAe: boolean): number {
  let distance = place - previous
  for (; distance >= FAR; distance -= FAR) marks.push(FAR)
  marks.push(isAe ? distance | IS_AE : distance)
  return place
}

/** The marks of a text in which `foldAccents` left å ä ö; its places are those of the bytes of the plain text. */
export function letterMarks(folded: string): number[] {
  const marks: number[] = []
  let previous = -1
  for (const { place, isAe } of lettersOf(folded)) previous = markLetter(marks, previous, place, isAe)
  return marks
}

/** Finds a word with its å ä ö; its other letters may be written as they like. */
export function letterFinder(texts: SearchTexts, { plain, typed }: SearchWord): WordFinder {
  const { bytes, starts, markStarts, marks } = texts
  const word = utf8(plain)
  const wanted = lettersOf(typed).map(({ place, isAe }) => ({ at: place, bit: isAe ? IS_AE : 0 }))
  const [first = { at: 0, bit: 0 }] = wanted
  const firstLetter = word[first.at]

  /** Whether the letters after the first are marked too, in the word that begins at `start`. */
  function hasOthers(start: number, index: number, end: number): boolean {
    let place = start + first.at
    let next = 1
    for (let at = index + 1; at < end && next < wanted.length; at++) {
      const mark = marks[at] ?? 0
      place += mark & DISTANCE
      if (mark === FAR) continue
      const letter = wanted[next]
      if (letter === undefined || place < start + letter.at) continue
      if (place > start + letter.at || (mark & IS_AE) !== letter.bit) return false
      next++
    }
    return next === wanted.length
  }

  return (text, from) => {
    const until = (starts[text + 1] ?? 0) - word.length
    const end = markStarts[text + 1] ?? 0
    let place = (starts[text] ?? 0) - 1
    for (let index = markStarts[text] ?? 0; index < end; index++) {
      const mark = marks[index] ?? 0
      place += mark & DISTANCE
      const start = place - first.at
      if (mark === FAR || start < from || (mark & IS_AE) !== first.bit || bytes[place] !== firstLetter) continue
      if (start <= until && stands(bytes, word, start) && hasOthers(start, index, end)) return start
    }
    return -1
  }
}

/** The å ä ö of a folded text, at which byte of the plain one each stands. */
function lettersOf(folded: string): { place: number; isAe: boolean }[] {
  let [place, from] = [-1, 0]
  return Array.from(folded.matchAll(/[åäö]/g), ({ 0: letter, index }) => {
    place += 1 + utf8(folded.slice(from, index)).length
    from = index + 1
    return { place, isAe: letter === 'ä' }
  })
}

import type { SearchWord } from './search-terms'

/**
 * Where the a and o of search texts are written å, ä, ö: a byte for each such letter, the distance from the one before. A
 * twentieth of what a second text with those letters would take, and a search for them looks at nothing else.
 */
export type SwedishLetters = {
  /** Where each row's marks end in `marks`. */
  readonly ends: Uint32Array
  readonly marks: Uint8Array
}

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

/** The marks of a text in which `foldAccents` left å ä ö. */
export function letterMarks(folded: string): number[] {
  const marks: number[] = []
  let previous = -1
  for (const { 0: letter, index } of folded.matchAll(/[åäö]/g)) {
    previous = markLetter(marks, previous, index, letter === 'ä')
  }
  return marks
}

/** The place from `from` on where a row's text has the word with its å ä ö, or -1; other letters may be written as they like. */
export function letterFinder(
  texts: readonly string[],
  { ends, marks }: SwedishLetters,
  { plain, typed }: SearchWord,
): (row: number, from: number) => number {
  const wanted = lettersOf(typed)
  const [first = { at: 0, isAe: 0 }] = wanted
  const firstCode = plain.charCodeAt(first.at)

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
      if (place > start + letter.at || (mark & IS_AE) !== letter.isAe) return false
      next++
    }
    return next === wanted.length
  }

  return (row, from) => {
    const text = texts[row] ?? ''
    const end = ends[row] ?? 0
    let place = -1
    for (let index = row === 0 ? 0 : (ends[row - 1] ?? 0); index < end; index++) {
      const mark = marks[index] ?? 0
      place += mark & DISTANCE
      const start = place - first.at
      if (mark === FAR || start < from || (mark & IS_AE) !== first.isAe || text.charCodeAt(place) !== firstCode)
        continue
      if (text.startsWith(plain, start) && hasOthers(start, index, end)) return start
    }
    return -1
  }
}

function lettersOf(typed: string) {
  return Array.from(typed.matchAll(/[åäö]/g), ({ 0: letter, index }) => ({
    at: index,
    isAe: letter === 'ä' ? IS_AE : 0,
  }))
}

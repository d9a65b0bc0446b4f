import type { SearchWord } from './search-terms'
import { createWordFinder, encodeUtf8, type SearchTexts, type WordFinder } from './search-texts'

/* A mark is a byte for an å, ä or ö: its distance in bytes from the mark before, and a bit that tells ä from å. */
const DISTANCE_BITS = 0x7f
const AE_BIT = 0x80
/** A mark of the largest distance is no letter yet, because a longer distance takes several marks. */
const NO_LETTER_YET = DISTANCE_BITS

export function encodeLetterMarks(folded: string): number[] {
  const marks: number[] = []
  let previous = -1
  for (const { position, aeBit } of findSwedishLetters(folded)) {
    let distance = position - previous
    for (; distance >= NO_LETTER_YET; distance -= NO_LETTER_YET) marks.push(NO_LETTER_YET)
    marks.push(distance | aeBit)
    previous = position
  }
  return marks
}

/** Creates a finder for a word in which each å, ä and ö matches only itself, and each a and o also those. */
export function createLetterFinder(texts: SearchTexts, { plain, typed }: SearchWord): WordFinder {
  const { bytes: marks, starts: markStarts } = texts.marks
  const findPlainWord = createWordFinder(texts, plain)
  const letters = findSwedishLetters(typed)

  function hasLetters(textIndex: number, wordStart: number): boolean {
    const end = markStarts[textIndex + 1] ?? 0
    let position = (texts.starts[textIndex] ?? 0) - 1 - wordStart
    let foundCount = 0
    for (let index = markStarts[textIndex] ?? 0; index < end && foundCount < letters.length; index++) {
      const mark = marks[index] ?? 0
      const letter = letters[foundCount]
      position += mark & DISTANCE_BITS
      if (mark !== NO_LETTER_YET && position === letter?.position && (mark & AE_BIT) === letter.aeBit) foundCount++
    }
    return foundCount === letters.length
  }

  return (textIndex, from) => {
    let position = findPlainWord(textIndex, from)
    while (position !== -1 && !hasLetters(textIndex, position)) position = findPlainWord(textIndex, position + 1)
    return position
  }
}

/** Finds the byte position of each å, ä and ö once the text is written with a and o. */
function findSwedishLetters(folded: string): { position: number; aeBit: number }[] {
  let position = -1
  let from = 0
  return Array.from(folded.matchAll(/[åäö]/g), ({ 0: letter, index }) => {
    position += 1 + encodeUtf8(folded.slice(from, index)).length
    from = index + 1
    return { position, aeBit: letter === 'ä' ? AE_BIT : 0 }
  })
}

import type { SearchWord } from './search-terms'

/**
 * Distinct texts are UTF-8 in one array: a search of single bytes skips most of them, and 75 000 strings would load the garbage
 * collector. Texts are only added, so that one list and the next share them. Text 0 is empty.
 */
export type SearchTexts = ByteStrings & { readonly count: number; readonly marks: ByteStrings }

export type ByteStrings = { readonly starts: Uint32Array; readonly bytes: Uint8Array }

/** Returns the next index in `bytes` where the text has the word, or -1. */
export type WordFinder = (text: number, from: number) => number

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** This is how well a text matches a search; larger is better. `UNKNOWN` means not looked at yet. */
export const [UNKNOWN, NO_MATCH, INSIDE_WORD, BEGINS_WORD] = [0, 1, 2, 3] as const

/** Lowers the answers of the texts from `from` to `until` by one more word. `answers[0]` is of the text `first`. */
export type TextMatcher = (answers: Uint8Array, from: number, until: number, first?: number) => void

const MAX_SKIP = 255
const MAX_SHORT_WORD = 2

/** Looks at every n-th byte for a word of n bytes (Horspool 1980). */
export function createWordFinder({ bytes, starts }: SearchTexts, plain: string): WordFinder {
  const word = encodeUtf8(plain)
  const end = word.length - 1
  const last = word[end]
  const skips = new Uint8Array(256).fill(Math.min(MAX_SKIP, word.length))
  for (let at = 0; at < end; at++) skips[word[at] ?? 0] = Math.min(MAX_SKIP, end - at)
  const afterLast = skips[last ?? 0] ?? 1
  return (text, from) => {
    const stop = starts[text + 1] ?? 0
    for (let at = from + end; ; at += afterLast) {
      if (word.length <= MAX_SHORT_WORD) while (at < stop && bytes[at] !== last) at++
      else while (at < stop && bytes[at] !== last) at += skips[bytes[at] ?? 0] ?? 1
      if (at >= stop) return -1
      if (hasBytesAt(bytes, word, at - end)) return at - end
    }
  }
}

export function createTextMatcher(find: WordFinder, texts: SearchTexts): TextMatcher {
  const { starts } = texts
  return (answers, from, until, first = 0) => {
    for (let text = from; text < until; text++) {
      const wanted = answers[text - first] ?? NO_MATCH
      if (wanted === NO_MATCH) continue
      let best: number = NO_MATCH
      for (let at = find(text, starts[text] ?? 0); at !== -1; at = find(text, at + 1)) {
        best = wanted === BEGINS_WORD && !isWordStart(texts, text, at) ? INSIDE_WORD : wanted
        if (best === wanted) break
      }
      answers[text - first] = best
    }
  }
}

export function hasBytesAt(bytes: Uint8Array, word: Uint8Array, position: number): boolean {
  for (let at = word.length - 1; at >= 0; at--) if (bytes[position + at] !== word[at]) return false
  return true
}

/** Tells whether a word begins there, which is not so between two letters or digits. */
export function isWordStart({ bytes, starts }: SearchTexts, text: number, at: number): boolean {
  if (at === starts[text]) return true
  const [before, first] = [KINDS[bytes[at - 1] ?? 0], KINDS[bytes[at] ?? 0]]
  if (before === OTHER || first === OTHER) return true
  if (before === WORD && first === WORD) return false
  let previous = at - 1
  while (((bytes[previous] ?? 0) & 0xc0) === 0x80) previous--
  return !isLetterOrDigit(bytes, previous) || !isLetterOrDigit(bytes, at)
}

/** An `UNSURE` byte is part of a character that must be looked at whole. */
const [OTHER, WORD, UNSURE] = [0, 1, 2]
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 127 ? UNSURE : /[a-z0-9]/.test(String.fromCharCode(byte)) ? WORD : OTHER,
)
const MAX_CHARACTER_UNITS = 4

function isLetterOrDigit(bytes: Uint8Array, at: number): boolean {
  return LETTER_OR_DIGIT.test(decoder.decode(bytes.subarray(at, at + MAX_CHARACTER_UNITS)))
}

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]/u

/** Marks tell which a and o of a text are å, ä or ö. A mark is one byte: the distance from the mark before, and a bit. */
const DISTANCE = 0x7f
/** This bit tells ä from å; an o can only be ö. */
const IS_AE = 0x80
/** The largest distance only says that no letter has come so far. */
const FAR = DISTANCE

export function encodeLetterMarks(folded: string): number[] {
  const marks: number[] = []
  let previous = -1
  for (const { position, isAe } of findSwedishLetters(folded)) {
    let distance = position - previous
    for (; distance >= FAR; distance -= FAR) marks.push(FAR)
    marks.push(isAe ? distance | IS_AE : distance)
    previous = position
  }
  return marks
}

export function createLetterFinder(texts: SearchTexts, { plain, typed }: SearchWord): WordFinder {
  const { bytes, starts } = texts
  const { bytes: marks, starts: markStarts } = texts.marks
  const word = encodeUtf8(plain)
  const wanted = findSwedishLetters(typed).map(({ position, isAe }) => ({ offset: position, bit: isAe ? IS_AE : 0 }))
  const [first = { offset: 0, bit: 0 }] = wanted
  const firstLetter = word[first.offset]

  function hasOtherLetters(start: number, index: number, end: number): boolean {
    let position = start + first.offset
    let next = 1
    for (let at = index + 1; at < end && next < wanted.length; at++) {
      const mark = marks[at] ?? 0
      position += mark & DISTANCE
      if (mark === FAR) continue
      const letter = wanted[next]
      if (letter === undefined || position < start + letter.offset) continue
      if (position > start + letter.offset || (mark & IS_AE) !== letter.bit) return false
      next++
    }
    return next === wanted.length
  }

  return (text, from) => {
    const until = (starts[text + 1] ?? 0) - word.length
    const end = markStarts[text + 1] ?? 0
    let position = (starts[text] ?? 0) - 1
    for (let index = markStarts[text] ?? 0; index < end; index++) {
      const mark = marks[index] ?? 0
      position += mark & DISTANCE
      const start = position - first.offset
      if (mark === FAR || start < from || (mark & IS_AE) !== first.bit || bytes[position] !== firstLetter) continue
      if (start <= until && hasBytesAt(bytes, word, start) && hasOtherLetters(start, index, end)) return start
    }
    return -1
  }
}

function findSwedishLetters(folded: string): { position: number; isAe: boolean }[] {
  let [position, from] = [-1, 0]
  return Array.from(folded.matchAll(/[åäö]/g), ({ 0: letter, index }) => {
    position += 1 + encodeUtf8(folded.slice(from, index)).length
    from = index + 1
    return { position, isAe: letter === 'ä' }
  })
}

/** Tells whether two rows, of one list and the next, have the same texts. */
export function isSameText(a: TextColumn, rowA: number, b: TextColumn, rowB: number): boolean {
  const [textA, textB] = [a.text[rowA] ?? 0, b.text[rowB] ?? 0]
  if (a.texts === b.texts && textA === textB) return true
  const pieces = ({ texts }: TextColumn, text: number) =>
    [texts, texts.marks].map(({ starts, bytes }) => bytes.subarray(starts[text], starts[text + 1]))
  const other = pieces(b, textB)
  return pieces(a, textA).every((piece, at) => piece.length === other[at]?.length && hasBytesAt(piece, other[at], 0))
}

type TextColumn = { readonly text: Uint32Array; readonly texts: SearchTexts }

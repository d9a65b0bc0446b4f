/** Texts are UTF-8 in one array: strings would load the garbage collector. Text 0 is empty. */
export type SearchTexts = { readonly count: number; readonly starts: Uint32Array; readonly bytes: Uint8Array }

const encoder = new TextEncoder()
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)

/** A text matches a search at one of these levels, the higher the better. A new array has `UNKNOWN`. */
export const MATCH_LEVELS = { UNKNOWN: 0, NO_MATCH: 1, INSIDE_WORD: 2, BEGINS_WORD: 3 } as const

/** Lowers the levels of texts, none of them `UNKNOWN`, to how well they match one more word. */
export type TextMatcher = (matchLevels: Uint8Array, from: number, until: number) => void

export function createTextMatcher(texts: SearchTexts, foldedWord: string): TextMatcher {
  const { starts } = texts
  const find = createWordFinder(texts, foldedWord)
  return (matchLevels, from, until) => {
    for (let textIndex = from; textIndex < until; textIndex++) {
      const best = matchLevels[textIndex] ?? MATCH_LEVELS.NO_MATCH
      if (best === MATCH_LEVELS.NO_MATCH) continue
      let level: number = MATCH_LEVELS.NO_MATCH
      for (let start = find(textIndex, starts[textIndex] ?? 0); start !== -1; start = find(textIndex, start + 1)) {
        const isInside = best === MATCH_LEVELS.BEGINS_WORD && !isWordStart(texts, textIndex, start)
        level = isInside ? MATCH_LEVELS.INSIDE_WORD : best
        if (level === best) break
      }
      matchLevels[textIndex] = level
    }
  }
}

/** The bytes of characters beyond ASCII count as letters, because most are of other scripts. */
const IS_IN_WORD = Array.from({ length: 256 }, (_, byte) => byte > 127 || /[a-z0-9]/.test(String.fromCharCode(byte)))

/** A word starts at the beginning of a text, and wherever there are not letters or digits on both sides. */
function isWordStart({ bytes, starts }: SearchTexts, textIndex: number, position: number): boolean {
  if (position === starts[textIndex]) return true
  return !IS_IN_WORD[bytes[position - 1] ?? 0] || !IS_IN_WORD[bytes[position] ?? 0]
}

/** A word this short (in bytes) is searched byte by byte, because it can skip almost nothing. */
const MAX_SHORT_WORD_BYTES = 2

/** Returns the next position in `bytes` where the text has the word, or -1. */
type WordFinder = (textIndex: number, from: number) => number

/** Creates a finder that skips up to n bytes at a time for a word of n bytes, at least one (Horspool 1980). */
function createWordFinder({ bytes, starts }: SearchTexts, foldedWord: string): WordFinder {
  const word = encodeUtf8(foldedWord)
  const end = word.length - 1
  const lastByte = word[end]
  const skips = new Uint16Array(256).fill(word.length)
  for (let index = 0; index < end; index++) skips[word[index] ?? 0] = end - index
  const skipAfterLast = skips[lastByte ?? 0] ?? 1
  return (textIndex, from) => {
    const until = starts[textIndex + 1] ?? 0
    for (let position = from + end; ; position += skipAfterLast) {
      if (word.length <= MAX_SHORT_WORD_BYTES) {
        while (position < until && bytes[position] !== lastByte) position++
      } else {
        while (position < until && bytes[position] !== lastByte) position += skips[bytes[position] ?? 0] ?? 1
      }
      if (position >= until) return -1
      if (hasBytesAt(bytes, word, position - end)) return position - end
    }
  }
}

function hasBytesAt(bytes: Uint8Array, expected: Uint8Array, start: number): boolean {
  for (let index = expected.length - 1; index >= 0; index--) {
    if (bytes[start + index] !== expected[index]) return false
  }
  return true
}

type TextColumn = { readonly textIndex: Uint32Array; readonly texts: SearchTexts }

/** Tells whether two rows, of two versions of a table, have the same text. */
export function haveSameText(a: TextColumn, rowA: number, b: TextColumn, rowB: number): boolean {
  const indexA = a.textIndex[rowA] ?? 0
  const indexB = b.textIndex[rowB] ?? 0
  if (a.texts === b.texts && indexA === indexB) return true
  const bytesA = a.texts.bytes.subarray(a.texts.starts[indexA], a.texts.starts[indexA + 1])
  const startB = b.texts.starts[indexB] ?? 0
  return startB + bytesA.length === b.texts.starts[indexB + 1] && hasBytesAt(b.texts.bytes, bytesA, startB)
}

import { plainLetters } from '@/lib/leads/comparable-text'
import { letterMarks, type SearchTexts, utf8 } from '@/lib/leads/search-texts'

/** Texts in which `foldAccents` left å ä ö, put together the plainest way. */
export function searchTextsOf(folded: readonly string[]): SearchTexts {
  const bytes = folded.map((text) => [...utf8(plainLetters(text))])
  const marks = folded.map(letterMarks)
  return {
    count: folded.length,
    starts: startsOf(bytes),
    bytes: Uint8Array.from(bytes.flat()),
    markStarts: startsOf(marks),
    marks: Uint8Array.from(marks.flat()),
  }
}

function startsOf(parts: readonly (readonly number[])[]): Uint32Array {
  let end = 0
  return Uint32Array.from([0, ...parts.map(({ length }) => (end += length))])
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function searchTextAt({ bytes, starts }: SearchTexts, text: number): string {
  return decoder.decode(bytes.subarray(starts[text], starts[text + 1]))
}

/** What each row is searched by, and its marks. */
export function searchedIn({ text, texts }: { text: Uint32Array; texts: SearchTexts }) {
  return Array.from(text, (number) => ({
    text: searchTextAt(texts, number),
    marks: [...texts.marks.subarray(texts.markStarts[number], texts.markStarts[number + 1])],
  }))
}

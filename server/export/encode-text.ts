import 'server-only'
import type { CsvEncoding } from '@/lib/contract/export'

/** Answers how chunks of text become bytes; the first begins with the mark by which spreadsheets know the encoding. */
export function createTextEncoder(encoding: CsvEncoding): (text: string) => Uint8Array {
  const encode = encoders[encoding]
  let isFirst = true
  return (text) => {
    const marked = isFirst && encoding !== 'utf-8' && encoding !== 'windows-1252' ? `\ufeff${text}` : text
    isFirst = false
    return encode(marked.toWellFormed())
  }
}

const encoders: Record<CsvEncoding, (text: string) => Uint8Array> = {
  'utf-8-bom': (text) => Buffer.from(text, 'utf8'),
  'utf-8': (text) => Buffer.from(text, 'utf8'),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'windows-1252': (text) => Uint8Array.from(text, (character) => windows1252(character)),
}

/** From 0x80 to 0x9f; the other places are those of Latin-1 (WHATWG Encoding, index windows-1252). */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const places = new Map([...HIGH].map((character, index) => [character, 0x80 + index]))
const QUESTION_MARK = 0x3f

/** A character that the encoding does not have becomes a question mark; whoever chooses it is told so. */
function windows1252(character: string): number {
  const code = character.codePointAt(0) ?? QUESTION_MARK
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code
  return places.get(character) ?? QUESTION_MARK
}

import { foldText } from '@/lib/leads/fold-text'
import { isSimple, letterTable } from './letter-table'

const SPACE = 32
const NOT_SIMPLE = -1
const FOLDED = letterTable(foldText, 127)

/**
 * `foldText` of several texts and then some digits, in one string. Letter by letter through a table made of `foldText`
 * itself, into bytes: several times as fast for Swedish, and the result takes one byte a letter and keeps nothing else alive.
 */
export function createFolder(): (texts: readonly (string | null)[], digits: string) => string {
  const decoder = new TextDecoder()
  let bytes = new Uint8Array(1024)

  /** The bytes of all that, or null when some letter needs more than the table. */
  function simply(texts: readonly (string | null)[], digits: string): string | null {
    let length = digits.length + 1
    for (const text of texts) length += text === null ? 0 : text.length + 1
    if (length > bytes.length) bytes = new Uint8Array(length * 2)
    let size = 0
    for (const text of texts) {
      if (text !== null) size = foldInto(bytes, size, text)
      if (size === NOT_SIMPLE) return null
    }
    size = foldInto(bytes, size, digits)
    return decoder.decode(bytes.subarray(0, Math.max(0, size - 1)))
  }

  return (texts, digits) => {
    const simple = simply(texts, digits)
    if (simple !== null) return simple
    const folded = foldText(texts.filter((text) => text !== null).join(' '))
    // `join` copies into one flat string, where `+` would keep both halves alive beside the whole.
    return simply([folded], digits) ?? (digits === '' ? folded : [folded, digits].join(' '))
  }
}

/** Appends the folded text and one space, never a second space or one at the front. */
function foldInto(bytes: Uint8Array, start: number, text: string): number {
  let size = start
  for (let at = 0; at < text.length; at++) {
    const folded = FOLDED[text.charCodeAt(at)]
    if (!isSimple(folded)) return NOT_SIMPLE
    if (folded !== SPACE) bytes[size++] = folded
    else if (size > 0 && bytes[size - 1] !== SPACE) bytes[size++] = SPACE
  }
  if (size > 0 && bytes[size - 1] !== SPACE) bytes[size++] = SPACE
  return size
}

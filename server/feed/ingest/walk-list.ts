import 'server-only'
import type { Work } from '@/lib/leads/columns/work'
import {
  ARRAY_END,
  ARRAY_START,
  BrokenBody,
  brokenAt,
  COLON,
  COMMA,
  endOfValue,
  OBJECT_END,
  OBJECT_START,
  parseValue,
  QUOTE,
  skipSpace,
} from './json-text'

/** Who takes the elements of the list. */
export type ElementTaker = {
  /** The list begins; once more when the body has the field again: as in JSON.parse, the last one counts. */
  begin: () => void
  /** Takes the element at `at`, and any number that follow it; answers where the last one taken ends. */
  take: (at: number) => number
  /** The list is complete. */
  end: () => void
}

/**
 * Walks over a body `{"<field>": [ … ]}` and has its elements taken. Other fields are ignored, but must be JSON.
 * Throws `BrokenBody` for everything that JSON.parse would refuse, and when the field is no list.
 */
export function* walkList(body: Buffer, field: string, taker: ElementTaker): Work<void> {
  let at = skipSpace(body, hasByteOrderMark(body) ? 3 : 0)
  if (body[at] !== OBJECT_START) throw new BrokenBody('body: expected object')
  let isList = false
  at = skipSpace(body, at + 1)
  while (body[at] !== OBJECT_END) {
    const name = readName(body, at)
    at = valueAfter(body, name.end)
    const isField = name.text === field
    if (isField) isList = body[at] === ARRAY_START
    if (isField && isList) at = yield* walkElements(body, at, taker)
    else at = endOfParsed(body, at)
    at = skipSpace(body, at)
    if (body[at] === OBJECT_END) break
    if (body[at] !== COMMA) throw brokenAt(at)
    at = skipSpace(body, at + 1)
    if (body[at] !== QUOTE) throw brokenAt(at)
  }
  at = skipSpace(body, at + 1)
  if (at !== body.length) throw brokenAt(at)
  if (!isList) throw new BrokenBody(`${field}: expected array`)
}

function* walkElements(body: Buffer, start: number, taker: ElementTaker): Work<number> {
  taker.begin()
  let at = skipSpace(body, start + 1)
  while (body[at] !== ARRAY_END) {
    yield
    at = skipSpace(body, taker.take(at))
    if (body[at] === ARRAY_END) break
    if (body[at] !== COMMA) throw brokenAt(at)
    at = skipSpace(body, at + 1)
    if (body[at] === ARRAY_END) throw brokenAt(at)
  }
  taker.end()
  return at + 1
}

function readName(body: Buffer, at: number): { text: unknown; end: number } {
  if (body[at] !== QUOTE) throw brokenAt(at)
  const end = endOfValue(body, at)
  return { text: parseValue(body, at, end), end }
}

function valueAfter(body: Buffer, nameEnd: number): number {
  const at = skipSpace(body, nameEnd)
  if (body[at] !== COLON) throw brokenAt(at)
  return skipSpace(body, at + 1)
}

function endOfParsed(body: Buffer, at: number): number {
  const end = endOfValue(body, at)
  parseValue(body, at, end)
  return end
}

function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}

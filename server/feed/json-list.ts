import 'server-only'
import { isUtf8 } from 'node:buffer'
import type { Pausable } from './pausable'

export type ElementReader = {
  /** Reads the element at `at`, and any number after it; answers where the last one ends. */
  read: (at: number) => number
  end: () => void
}

/**
 * Elements of `{"<field>": [ … ]}`, by a reader of their own where the body has the field again: as in JSON.parse, the
 * last one counts. Throws `BrokenBody` for what JSON.parse refuses, anywhere in the body.
 */
export function* readJsonList(body: Buffer, field: string, startReader: () => ElementReader): Pausable<void> {
  let at = skipSpace(body, body.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0)
  if (body[at] !== OBJECT_START) throw new BrokenBody('body: expected object')
  let isList = false
  at = skipSpace(body, at + 1)
  while (body[at] !== OBJECT_END) {
    if (body[at] !== QUOTE) throw brokenAt(at)
    const nameEnd = endOfValue(body, at)
    const isField = parseValue(body, at, nameEnd) === field
    at = skipSpace(body, nameEnd)
    if (body[at] !== COLON) throw brokenAt(at)
    at = skipSpace(body, at + 1)
    if (isField) isList = body[at] === ARRAY_START
    if (isField && isList) {
      const reader = startReader()
      at = skipSpace(body, at + 1)
      while (body[at] !== ARRAY_END) {
        yield
        at = skipSpace(body, reader.read(at))
        if (body[at] === ARRAY_END) break
        if (body[at] !== COMMA) throw brokenAt(at)
        at = skipSpace(body, at + 1)
        if (body[at] === ARRAY_END) throw brokenAt(at)
      }
      reader.end()
      at++
    } else {
      const end = endOfValue(body, at)
      parseValue(body, at, end)
      at = end
    }
    at = skipSpace(body, at)
    if (body[at] === OBJECT_END) break
    if (body[at] !== COMMA) throw brokenAt(at)
    at = skipSpace(body, at + 1)
    if (body[at] === OBJECT_END) throw brokenAt(at)
  }
  at = skipSpace(body, at + 1)
  if (at !== body.length) throw brokenAt(at)
  if (!isList) throw new BrokenBody(`${field}: expected array`)
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const ARRAY_START = 0x5b
const ARRAY_END = 0x5d
const OBJECT_START = 0x7b
const OBJECT_END = 0x7d
const BACKSLASH = 0x5c
/** Without this bit `[` is `{` and `]` is `}`. */
const BRACE_BIT = 0x20

export class BrokenBody extends Error {}

function brokenAt(at: number): BrokenBody {
  return new BrokenBody(`no JSON at byte ${at}`)
}

function skipSpace(body: Buffer, at: number): number {
  let end = at
  while (end < body.length && isSpace(body[end])) end++
  return end
}

/** Brackets and strings suffice: the value is parsed later, which finds any other fault. */
export function endOfValue(body: Buffer, at: number): number {
  const first = body[at]
  if (first === QUOTE) return endOfString(body, at)
  if (first === OBJECT_START || first === ARRAY_START) return endOfNested(body, at)
  let end = at
  for (; end < body.length; end++) {
    const byte = body[end]
    if (byte === COMMA || byte === ARRAY_END || byte === OBJECT_END || isSpace(byte)) break
  }
  return end
}

/** Throws `BrokenBody` unless the bytes are one JSON value in UTF-8. */
export function parseValue(body: Buffer, start: number, end: number): unknown {
  return parse(decode(body, start, end), start)
}

export function parseValues(body: Buffer, start: number, end: number): unknown[] {
  const values = parse(`[${decode(body, start, end)}]`, start)
  return Array.isArray(values) ? values : []
}

function decode(body: Buffer, start: number, end: number): string {
  const text = body.toString('utf8', start, end)
  // The replacement character marks where bytes are not UTF-8.
  if (text.includes('\uFFFD') && !isUtf8(body.subarray(start, end)))
    throw new BrokenBody(`no UTF-8 after byte ${start}`)
  return text
}

function parse(text: string, start: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw brokenAt(start)
  }
}

function endOfString(body: Buffer, at: number): number {
  let end = at + 1
  while (end < body.length) {
    const byte = body[end++]
    if (byte === QUOTE) return end
    if (byte === BACKSLASH) end++
  }
  throw new BrokenBody('ends too early')
}

function endOfNested(body: Buffer, at: number): number {
  const { length } = body
  let depth = 0
  for (let end = at; end < length; end++) {
    const byte = body[end]
    if (byte === QUOTE) {
      for (end++; end < length && body[end] !== QUOTE; end++) if (body[end] === BACKSLASH) end++
    } else if (byte !== undefined && (byte | BRACE_BIT) === OBJECT_START) {
      depth++
    } else if (byte !== undefined && (byte | BRACE_BIT) === OBJECT_END && --depth === 0) {
      return end + 1
    }
  }
  throw new BrokenBody('ends too early')
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

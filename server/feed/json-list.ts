import { isUtf8 } from 'node:buffer'
import type { Pausable } from './pausable'

/**
 * Reads the elements of `{"<field>": [ … ]}` without parsing the whole body. The reader gets the offset of an element,
 * reads it and any number after it, and returns where the last one ends. Of a repeated field the last one counts, as in
 * JSON.parse, so each gets a new reader. A byte order mark may lead. Throws `BrokenBodyError` for anything else that
 * JSON.parse refuses, for bytes that are not UTF-8, and if the field is no array.
 */
export function* readJsonList<Reader extends { read(offset: number): number }>(
  body: Buffer,
  field: string,
  createReader: () => Reader,
): Pausable<Reader> {
  let reader: Reader | null = null
  let offset = skipSpace(body, body.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0)
  if (body[offset] !== OBJECT_START) throw new BrokenBodyError('body: expected object')
  offset = skipSpace(body, offset + 1)
  while (body[offset] !== OBJECT_END) {
    if (body[offset] !== QUOTE) throw createBrokenBodyError(offset)
    const nameEnd = findValueEnd(body, offset)
    const isField = parseValue(body, offset, nameEnd) === field
    offset = skipSpace(body, nameEnd)
    if (body[offset] !== COLON) throw createBrokenBodyError(offset)
    offset = skipSpace(body, offset + 1)
    if (isField) reader = body[offset] === ARRAY_START ? createReader() : null
    if (isField && reader) {
      offset = skipSpace(body, offset + 1)
      while (body[offset] !== ARRAY_END) {
        yield
        offset = findNextMember(body, reader.read(offset), ARRAY_END)
      }
      offset++
    } else {
      const end = findValueEnd(body, offset)
      parseValue(body, offset, end)
      offset = end
    }
    offset = findNextMember(body, offset, OBJECT_END)
  }
  offset = skipSpace(body, offset + 1)
  if (offset !== body.length) throw createBrokenBodyError(offset)
  if (reader === null) throw new BrokenBodyError(`${field}: expected array`)
  return reader
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
/** This bit turns `[` into `{`, and `]` into `}`. */
const BRACE_BIT = 0x20

export class BrokenBodyError extends Error {}

function createBrokenBodyError(offset: number): BrokenBodyError {
  return new BrokenBodyError(`no JSON at byte ${offset}`)
}

/** Returns the offset of the next member or of the closing bracket, after a member that ends at `offset`. */
function findNextMember(body: Buffer, offset: number, closingByte: number): number {
  const end = skipSpace(body, offset)
  if (body[end] === closingByte) return end
  if (body[end] !== COMMA) throw createBrokenBodyError(end)
  const next = skipSpace(body, end + 1)
  if (body[next] === closingByte) throw createBrokenBodyError(next)
  return next
}

function skipSpace(body: Buffer, offset: number): number {
  let end = offset
  while (end < body.length && isSpace(body[end])) end++
  return end
}

/** Follows only brackets, strings and separators, because a fault inside the value is found when it is parsed. */
export function findValueEnd(body: Buffer, offset: number): number {
  const { length } = body
  let depth = 0
  for (let end = offset; end < length; end++) {
    const byte = body[end] ?? 0
    if (byte === QUOTE) {
      for (end++; end < length && body[end] !== QUOTE; end++) if (body[end] === BACKSLASH) end++
      if (depth === 0 && end < length) return end + 1
    } else if ((byte | BRACE_BIT) === OBJECT_START) {
      depth++
    } else if ((byte | BRACE_BIT) === OBJECT_END) {
      if (depth === 0) return end
      if (--depth === 0) return end + 1
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) {
      return end
    }
  }
  if (depth > 0 || body[offset] === QUOTE) throw new BrokenBodyError('ends too early')
  return length
}

/** Throws BrokenBodyError unless the bytes are one JSON value in UTF-8. */
export function parseValue(body: Buffer, start: number, end: number): unknown {
  const text = body.toString('utf8', start, end)
  // Bytes that are not UTF-8 decode to the replacement character, which a text may also contain.
  if (text.includes('\uFFFD') && !isUtf8(body.subarray(start, end)))
    throw new BrokenBodyError(`no UTF-8 after byte ${start}`)
  try {
    return JSON.parse(text)
  } catch {
    throw createBrokenBodyError(start)
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

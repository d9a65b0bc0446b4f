import 'server-only'

/** One of the service's records as ours, or why it cannot be read: path and expectation, never what it holds. */
export type Reading<T> = { ok: true; value: T } | { ok: false; reason: string }

export type Fields = Readonly<Record<string, unknown>>

/** Makes a reader of one record. `read` uses the checks below, the first of which that fails is the reason. */
export function recordReader<T>(read: (record: Fields) => T): (json: unknown) => Reading<T> {
  return (json) => {
    try {
      return { ok: true, value: read(readObject(json, 'record')) }
    } catch (error) {
      if (error instanceof Mismatch) return { ok: false, reason: error.message }
      throw error
    }
  }
}

const LONGEST_ID = 500

/** Thrown by the checks. A record is set aside by `recordReader`; nobody else sees this. */
export class Mismatch extends Error {
  constructor(path: string, expected: string) {
    super(`${path}: expected ${expected}`)
  }
}

export function readObject(value: unknown, path: string): Fields {
  if (!isFields(value)) throw new Mismatch(path, 'object')
  return value
}

export function readId(value: unknown): string {
  const id = readText(value, 'id')
  if (id === '' || id.length > LONGEST_ID) throw new Mismatch('id', `1 to ${LONGEST_ID} characters`)
  return id
}

export function readNonEmptyText(value: unknown, path: string): string {
  const text = readText(value, path)
  if (text === '') throw new Mismatch(path, 'non-empty string')
  return text
}

export function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new Mismatch(path, 'string')
  return value
}

/** Null when the service left it out or sent null. */
export function readOptionalText(value: unknown, path: string): string | null {
  return value === undefined || value === null ? null : readText(value, path)
}

/** Null when the service left it out or sent null. */
export function readOptionalInteger(value: unknown, path: string): number | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Mismatch(path, 'integer')
  return value
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

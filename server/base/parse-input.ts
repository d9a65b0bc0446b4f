import type { z } from 'zod'
import { InvalidInputError } from './errors'

/** Throws `InvalidInputError` with the first wrong field, which is `rootName` for the input itself. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown, rootName: string): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  throw new InvalidInputError([...(issue?.path ?? []), ...unknownKey].map(String).join('.').slice(0, 100) || rootName)
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Returns null for what is not JSON, or not UTF-8. */
export function tryParseJson(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

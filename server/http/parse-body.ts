import 'server-only'
import type { z } from 'zod'
import { InvalidInputError } from '@/server/errors'
import { HttpError } from './http-error'
import { parseInput } from './parse-input'
import { readText } from './read-text'
import { isStorableText } from './storable-text'

const LIMIT_BYTES = 1_000_000

/** The JSON body as the schema wants it: 415 for another of `types`, 413 over 1 MB, 400 naming the field. */
export async function parseBody<S extends z.ZodType>(
  request: Request,
  schema: S,
  types: readonly string[] = ['application/json'],
): Promise<z.output<S>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined || !types.includes(type)) throw new HttpError(415, 'Content-Type must be application/json')
  return parseInput(schema, parseJson(await readText(request, LIMIT_BYTES)), 'body')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, refuseUnstorable)
  } catch (error) {
    if (error instanceof InvalidInputError) throw error
    throw new HttpError(400, 'The body is not JSON')
  }
}

function refuseUnstorable(key: string, value: unknown): unknown {
  if (typeof value === 'string' && !isStorableText(value)) throw new InvalidInputError(key || 'body')
  return value
}

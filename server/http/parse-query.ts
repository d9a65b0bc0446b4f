import 'server-only'
import { z } from 'zod'
import { InvalidInputError } from '@/server/errors'
import { parseInput } from './parse-input'
import { isStorableText } from './storable-text'

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/
const BOOLEANS = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])

/**
 * A query string as its schema wants it. Only where the schema has an array may a parameter come more than once;
 * numbers and booleans are read from their text. `InvalidInputError` names the parameter, unknown ones too.
 */
export function parseQuery<S extends z.ZodObject>(schema: S, search: URLSearchParams): z.output<S> {
  const input = new Map<string, unknown>()
  for (const name of new Set(search.keys())) {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
    if (!field) throw new InvalidInputError(name.slice(0, 100))
    input.set(name, readParameter(name, unwrap(field), search.getAll(name)))
  }
  try {
    return parseInput(schema, Object.fromEntries(input), 'query')
  } catch (error) {
    // Within a repeatable parameter the path ends in its position, which means nothing to the caller.
    throw error instanceof InvalidInputError ? new InvalidInputError(error.field.split('.')[0] ?? 'query') : error
  }
}

function readParameter(name: string, type: z.core.$ZodType, values: string[]): unknown {
  if (!values.every(isStorableText)) throw new InvalidInputError(name)
  if (type instanceof z.ZodArray) return values.map((value) => readValue(name, unwrap(type.element), value))
  const [value, ...more] = values
  if (value === undefined || more.length > 0) throw new InvalidInputError(name)
  return readValue(name, type, value)
}

function readValue(name: string, type: z.core.$ZodType, value: string): unknown {
  if (type instanceof z.ZodNumber) {
    if (!NUMBER.test(value)) throw new InvalidInputError(name)
    return Number(value)
  }
  if (type instanceof z.ZodBoolean) {
    const flag = BOOLEANS.get(value)
    if (flag === undefined) throw new InvalidInputError(name)
    return flag
  }
  return value
}

function unwrap(type: z.core.$ZodType): z.core.$ZodType {
  const isWrapped = type instanceof z.ZodOptional || type instanceof z.ZodDefault || type instanceof z.ZodNullable
  return isWrapped ? unwrap(type.unwrap()) : type
}

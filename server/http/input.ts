import 'server-only'
import { z } from 'zod'
import type { Endpoint } from '@/lib/contract/endpoint'
import { InvalidInputError, NotFoundError } from '@/server/base/errors'
import { isStorableText, parseInput } from '@/server/base/parse-input'
import { textWithin } from '@/server/base/parsed-json'
import { HttpError } from './responses'

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/
const BOOLEANS = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])

const PUBLIC_LIMIT_BYTES = 20_000
const EMPTY = {}

/** Reads path, query and body of an endpoint, as declared, into one object. */
export function inputReader({ params, query, body, types, who }: Endpoint) {
  const readQuery = query ? queryReader(query) : refuseParameters
  const limits = { types, limitBytes: who === 'anyone' ? PUBLIC_LIMIT_BYTES : undefined }
  return async (request: Request, inPath: Promise<unknown>): Promise<object> => {
    const fromPath = params ? readParams(params, await inPath) : EMPTY
    const fromQuery = readQuery(searchOf(request.url))
    if (body === undefined) return fromPath === EMPTY ? fromQuery : { ...fromQuery, ...fromPath }
    const fromBody = await parseBody(request, body, limits)
    return fromPath === EMPTY && query === undefined ? fromBody : { ...fromBody, ...fromQuery, ...fromPath }
  }
}

function readParams(schema: z.ZodObject, inPath: unknown): object {
  const { success, data = EMPTY } = schema.safeParse(inPath)
  if (success && Object.values(data).every((value) => typeof value !== 'string' || isStorableText(value))) return data
  throw new NotFoundError()
}

function searchOf(url: string): URLSearchParams {
  const at = url.indexOf('?')
  return at === -1 ? NO_SEARCH : new URLSearchParams(url.slice(at + 1))
}

const NO_SEARCH = new URLSearchParams()

function refuseParameters(search: URLSearchParams): object {
  for (const name of search.keys()) throw new InvalidInputError(name.slice(0, 100))
  return EMPTY
}

/** Only arrays may repeat; numbers and booleans are read from text. `InvalidInputError` also for unknown names. */
export function queryReader<S extends z.ZodObject>(schema: S): (search: URLSearchParams) => z.output<S> {
  const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, unwrap(field)]))
  return (search) => {
    const input = new Map<string, unknown>()
    for (const name of new Set(search.keys())) {
      const field = fields.get(name)
      if (!field) throw new InvalidInputError(name.slice(0, 100))
      input.set(name, readParameter(name, field, search.getAll(name)))
    }
    try {
      return parseInput(schema, Object.fromEntries(input), 'query')
    } catch (error) {
      // The position within a repeated parameter means nothing to the caller.
      throw error instanceof InvalidInputError ? new InvalidInputError(error.field.split('.')[0] ?? 'query') : error
    }
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

const LIMIT_BYTES = 1_000_000

type BodyLimits = { types?: readonly string[] | undefined; limitBytes?: number | undefined }

export async function parseBody<S extends z.ZodType>(
  request: Request,
  schema: S,
  { types = ['application/json'], limitBytes = LIMIT_BYTES }: BodyLimits = {},
): Promise<z.output<S>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined || !types.includes(type)) throw new HttpError(415, 'Content-Type must be application/json')
  return parseInput(schema, parseJson(await readText(request, limitBytes)), 'body')
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

/** 413 when the body is larger, by what really comes. */
export async function readText(request: Request, limitBytes: number): Promise<string> {
  const tooLarge = () => new HttpError(413, `The body is larger than ${limitBytes / 1000} kB`)
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge()
  return textWithin(request.body, limitBytes, tooLarge)
}

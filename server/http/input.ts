import { z } from 'zod'
import type { Endpoint } from '@/lib/contract/endpoint'
import { InvalidInputError, NotFoundError } from '@/server/base/errors'
import { isStorableText, parseInput } from '@/server/base/parse-input'
import { HttpError } from './responses'

const MAX_BODY_BYTES = 1_000_000
export const MAX_ANONYMOUS_BODY_BYTES = 20_000

/** Reads path, query and body, as the endpoint declares them, into one object; throws for whatever is wrong. */
export function createInputReader({ params, query, body, requestTypes = ['application/json'], who }: Endpoint) {
  const readQuery = createQueryReader(query ?? z.strictObject({}))
  return async (request: Request, pathParams: Promise<unknown>): Promise<object> => {
    const parsedParams = params?.safeParse(await pathParams)
    const paramTexts = Object.values(parsedParams?.data ?? {}).filter((value) => typeof value === 'string')
    if (parsedParams?.success === false || !paramTexts.every(isStorableText)) throw new NotFoundError()
    const queryStart = request.url.indexOf('?')
    const parsedQuery = readQuery(new URLSearchParams(queryStart === -1 ? '' : request.url.slice(queryStart + 1)))
    if (body === undefined) return { ...parsedQuery, ...parsedParams?.data }
    const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
    if (type === undefined || !requestTypes.includes(type))
      throw new HttpError(415, `Content-Type must be ${requestTypes.join(' or ')}`)
    const text = await readBodyText(request, who === 'anyone' ? MAX_ANONYMOUS_BODY_BYTES : MAX_BODY_BYTES)
    return { ...parseInput(body, parseJson(text), 'body'), ...parsedQuery, ...parsedParams?.data }
  }
}

/** Converts numbers and booleans. An unknown or wrongly repeated parameter throws `InvalidInputError`. */
export function createQueryReader<S extends z.ZodObject>(schema: S): (search: URLSearchParams) => z.output<S> {
  const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, unwrap(field)]))
  return (search) => {
    const input = new Map<string, unknown>()
    for (const name of new Set(search.keys())) {
      const field = fields.get(name)
      if (!field) throw new InvalidInputError(name.slice(0, 100))
      const values = search.getAll(name)
      const isList = field instanceof z.ZodArray
      if (!values.every(isStorableText) || (!isList && values.length > 1)) throw new InvalidInputError(name)
      const converted = values.map((value) => readValue(name, isList ? unwrap(field.element) : field, value))
      input.set(name, isList ? converted : converted[0])
    }
    try {
      return parseInput(schema, Object.fromEntries(input), 'query')
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      // The position within a repeated parameter means nothing to the caller.
      throw new InvalidInputError(error.field.replace(/\..*/, ''))
    }
  }
}

function readValue(name: string, type: z.core.$ZodType, value: string): unknown {
  if (type instanceof z.ZodNumber) {
    if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) throw new InvalidInputError(name)
    return Number(value)
  }
  if (type instanceof z.ZodBoolean) {
    if (!/^(?:0|1|true|false)$/.test(value)) throw new InvalidInputError(name)
    return value === '1' || value === 'true'
  }
  return value
}

function unwrap(type: z.core.$ZodType): z.core.$ZodType {
  const isWrapped = type instanceof z.ZodOptional || type instanceof z.ZodDefault || type instanceof z.ZodNullable
  return isWrapped ? unwrap(type.unwrap()) : type
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (key: string, value: unknown) => {
      if (typeof value === 'string' && !isStorableText(value)) throw new InvalidInputError(key || 'body')
      return value
    })
  } catch (error) {
    if (error instanceof InvalidInputError) throw error
    throw new HttpError(400, 'The body is not JSON')
  }
}

/** Reads the body as text. Throws 413 once more than `limitBytes` have arrived, whatever Content-Length says. */
export async function readBodyText(request: Request, limitBytes: number): Promise<string> {
  const createError = () => new HttpError(413, `The body is larger than ${limitBytes / 1000} kB`)
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw createError()
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of request.body ?? []) {
    byteCount += chunk.byteLength
    if (byteCount > limitBytes) throw createError()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

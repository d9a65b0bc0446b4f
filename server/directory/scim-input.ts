import 'server-only'
import { z } from 'zod'
import { InvalidInputError } from '@/server/errors'
import { isStorableText, parseInput } from '@/server/http/input'

export const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:'
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/** Attributes by their names in small letters (RFC 7643, 2.1); `name` by its parts, as in a path. */
export function fieldsOf(resource: unknown, within = ''): Record<string, unknown> {
  if (!isObject(resource)) throw new InvalidInputError('value', 'invalidSyntax')
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
      const key = `${within}${name}`.toLowerCase().replace(CORE, '')
      return key === 'name' && isObject(value) ? Object.entries(fieldsOf(value, 'name.')) : [[key, value]]
    }),
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is not kept is left out: Entra and Keycloak send more. Null takes away. */
const text = z.string().trim().max(500).nullish()
const personSchema = z.object({
  username: z.email().max(200).optional(),
  externalid: text,
  displayname: text,
  'name.formatted': text,
  'name.givenname': text,
  'name.familyname': text,
  /** Entra writes "False". */
  active: z
    .union([
      z.boolean(),
      z
        .string()
        .toLowerCase()
        .pipe(z.enum(['true', 'false'])),
    ])
    .optional(),
})
export type PersonFields = z.infer<typeof personSchema>

export function personFields(fields: Record<string, unknown>): PersonFields {
  return parseInput(personSchema, fields, 'body')
}

const groupSchema = z.object({
  displayname: z.string().trim().min(1).max(300).optional(),
  externalid: text,
})
const memberSchema = z.object({ value: z.string().max(100) })

/** `members` is undefined if they are not named, which leaves them. */
export function groupFields(fields: Record<string, unknown>) {
  const members = fields.members === undefined ? undefined : memberIds(fields.members)
  return { ...parseInput(groupSchema, fields, 'body'), members }
}

export function memberIds(value: unknown): string[] {
  return [value ?? []].flat().map((member) => parseInput(memberSchema, member, 'members').value)
}

const operationsSchema = z.object({
  operations: z
    .array(
      z.object({
        op: z
          .string()
          .toLowerCase()
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().max(1_000).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1_000),
})

export type Operation = { op: 'add' | 'replace' | 'remove'; fields: Record<string, unknown> }

/** RFC 7644, 3.5.2, with Entra's `Add`, `Replace` and values without a path. What is removed is null unless named. */
export function operationsOf(body: object): Operation[] {
  const { operations } = parseInput(operationsSchema, fieldsOf(body), 'body')
  return operations.map(({ op, path, value }) => {
    const [, member] = /^members\[value eq "([^"]*)"\]$/i.exec(path?.trim() ?? '') ?? []
    if (op === 'remove' ? path === undefined : member !== undefined) throw new InvalidInputError('path', 'noTarget')
    if (member !== undefined) return { op, fields: { members: { value: member } } }
    if (path === undefined) return { op, fields: fieldsOf(value) }
    return { op, fields: fieldsOf({ [path.trim()]: op === 'remove' ? (value ?? null) : value }) }
  })
}

/** The value as in JSON. */
const FILTER = /^\s*(\w+)\s+eq\s+("(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[\da-f]{4})*")\s*$/iu
export const MAX_COUNT = 200

export type Wanted = ReturnType<typeof wantedOf>

/** One `attribute eq "value"`, which is what Entra and Keycloak ask for (RFC 7644, 3.4.2). */
export function wantedOf(search: URLSearchParams, attributes: readonly string[]) {
  const numberIn = (name: string, otherwise: number, most: number) => {
    const number = Number(search.get(name) ?? otherwise)
    if (!Number.isSafeInteger(number)) throw new InvalidInputError(name)
    return Math.min(Math.max(0, number), most)
  }
  return {
    filter: filterIn(search.get('filter'), attributes),
    offset: Math.max(0, numberIn('startIndex', 1, 1_000_000) - 1),
    limit: numberIn('count', MAX_COUNT, MAX_COUNT),
    withMembers: !/\bmembers\b/i.test(search.get('excludedAttributes') ?? ''),
  }
}

function filterIn(filter: string | null, attributes: readonly string[]) {
  if (filter === null) return null
  const [, name = '', quoted = '""'] = FILTER.exec(filter.slice(0, 1_000)) ?? []
  const attribute = name.toLowerCase()
  const value = String(JSON.parse(quoted))
  if (!attributes.includes(attribute) || !isStorableText(value)) throw new InvalidInputError('filter', 'invalidFilter')
  return { attribute, value }
}

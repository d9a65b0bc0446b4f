import { z } from 'zod'

export type TooLarge = { path: string[]; put: Record<string, unknown> }

type Node = z.core.JSONSchema.JSONSchema

/** Each field that may be given, too large. A field without a largest size is an error. */
export function tooLarge(schema: z.ZodType): TooLarge[] {
  const node = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const whole = (value: unknown) => value as Record<string, unknown>
  if (node.type !== 'object') return larger(node, []).map(({ path, value }) => ({ path, put: whole(value) }))
  return fieldsOf(node).flatMap(([name, field]) =>
    larger(field, [name]).map(({ path, value }) => ({ path, put: { [name]: value } })),
  )
}

/** Each field that takes a text, with this one in it. */
export function withText(schema: z.ZodType, text: string): TooLarge[] {
  return tooLarge(schema).flatMap(({ path, put }) => {
    const long = JSON.stringify(put)
    const filled = long.replaceAll(/"x{9,}"/g, JSON.stringify(text))
    return filled === long ? [] : [{ path, put: JSON.parse(filled) as Record<string, unknown> }]
  })
}

type Larger = { path: string[]; value: unknown }

function larger(node: Node, path: string[]): Larger[] {
  const options = optionsOf(node)
  if (options.length > 0) return options.flatMap((option) => larger(option, path))
  if (node.type === 'object')
    return fieldsOf(node).flatMap(([name, field]) => within(node, name, larger(field, [...path, name])))
  if (node.type === 'array') {
    const one = node.items as Node
    const each = larger(one, path).map((item) => ({ ...item, value: [item.value] }))
    return [{ path, value: many(largest(node.maxItems, path), smallest(one)) }, ...each]
  }
  if (node.type === 'integer') return [{ path, value: largest(node.maximum, path) + 1 }]
  if (node.type === 'string') return [{ path, value: long(isFixed(node) ? 100 : largest(node.maxLength, path)) }]
  if (node.type === 'boolean') return [{ path, value: long(100) }]
  if (node.type === undefined) return []
  throw new Error(`${path.join('.')} is of another type: ${String(node.type)}`)
}

function optionsOf({ anyOf = [], oneOf = [], ...node }: Node): Node[] {
  const options = Array.isArray(node.type) ? node.type.map((type) => ({ ...node, type })) : [...anyOf, ...oneOf]
  return options.filter(({ type }) => type !== 'null')
}

function fieldsOf({ properties = {}, additionalProperties }: Node): [string, Node][] {
  const fields = { ...properties, ...(additionalProperties && { key: additionalProperties }) }
  return Object.entries(fields) as [string, Node][]
}

function within(node: Node, name: string, fields: Larger[]): Larger[] {
  return fields.map(({ path, value }) => ({ path, value: { ...(smallest(node) as object), [name]: value } }))
}

/** Only so many texts are taken, each of a length of its own. */
function isFixed(node: Node): boolean {
  return node.enum !== undefined || node.const !== undefined || node.format === 'date' || node.format === 'uuid'
}

function largest(limit: number | undefined, path: string[]): number {
  if (limit === undefined) throw new Error(`${path.join('.')} has no largest size`)
  return limit
}

function smallest(node: Node): unknown {
  const [option] = optionsOf(node)
  if (option) return smallest(option)
  if (node.const !== undefined) return node.const
  if (node.enum) return node.enum[0]
  if (node.type === 'object')
    return Object.fromEntries((node.required ?? []).map((name) => [name, smallest(node.properties?.[name] as Node)]))
  if (node.type === 'array') return []
  if (node.type === 'integer') return node.minimum ?? 0
  if (node.format === 'date') return '2027-01-01'
  return node.type === 'boolean' ? true : 'x'.repeat(node.minLength ?? 1)
}

export const long = (length: number): string => 'x'.repeat(length + 1)

export const many = <T>(max: number, value: T): T[] => Array.from({ length: max + 1 }, () => value)

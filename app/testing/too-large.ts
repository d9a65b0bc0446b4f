import { z } from 'zod'

/** A field of a schema: its path, its node, and a function that makes an object with another value there. */
type Field = { path: string; node: Node; put: (value: unknown) => Record<string, unknown> }
type Node = z.core.JSONSchema.JSONSchema

/** Returns an object for each field that is too large there. A field without a largest size is an error. */
export function listTooLarge(schema: z.ZodType) {
  return listFields(schema).map(({ path, node, put }) => ({ path, put: put(makeTooLarge(node, path)) }))
}

/** Returns an object for each field that takes a text, with this text in it. */
export function listWithText(schema: z.ZodType, text: string) {
  return listFields(schema).flatMap(({ node, put }) => (node.type === 'string' && !isFixed(node) ? [put(text)] : []))
}

function listFields(schema: z.ZodType): Field[] {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const wrap = (value: unknown) => value as Record<string, unknown>
  if (whole.type !== 'object') return listFieldsBelow(whole, [], wrap)
  return listProperties(whole).flatMap(([name, node]) => listFieldsBelow(node, [name], (value) => ({ [name]: value })))
}

function listFieldsBelow(node: Node, path: string[], put: Field['put']): Field[] {
  const options = listOptions(node)
  if (options.length > 0) return options.flatMap((option) => listFieldsBelow(option, path, put))
  if (node.type === undefined) return []
  if (node.type === 'object')
    return listProperties(node).flatMap(([name, inner]) =>
      listFieldsBelow(inner, [...path, name], (value) => put({ ...(makeSmallest(node) as object), [name]: value })),
    )
  const inItems = node.type === 'array' ? listFieldsBelow(node.items as Node, path, (value) => put([value])) : []
  return [{ path: path.join('.'), node, put }, ...inItems]
}

function listOptions({ anyOf = [], oneOf = [], ...node }: Node): Node[] {
  const options = Array.isArray(node.type) ? node.type.map((type) => ({ ...node, type })) : [...anyOf, ...oneOf]
  return options.filter(({ type }) => type !== 'null')
}

function listProperties({ properties = {}, additionalProperties }: Node): [string, Node][] {
  const all = { ...properties, ...(additionalProperties && { key: additionalProperties }) }
  return Object.entries(all) as [string, Node][]
}

/** Whether the field takes only certain texts, or texts of one length. */
function isFixed(node: Node): boolean {
  return node.enum !== undefined || node.const !== undefined || node.format === 'date' || node.format === 'uuid'
}

function makeTooLarge(node: Node, path: string): unknown {
  const limit = {
    array: node.maxItems,
    integer: node.maximum,
    string: isFixed(node) ? 100 : node.maxLength,
    boolean: 100,
  }
  const largest = limit[node.type as keyof typeof limit]
  if (largest === undefined) throw new Error(`${path} has no largest size`)
  if (node.type === 'integer') return largest + 1
  return node.type === 'array' ? repeat(largest, makeSmallest(node.items as Node)) : makeLongText(largest)
}

function makeSmallest(node: Node): unknown {
  const [option] = listOptions(node)
  if (option) return makeSmallest(option)
  if (node.const !== undefined) return node.const
  if (node.enum) return node.enum[0]
  if (node.type === 'object')
    return Object.fromEntries(
      (node.required ?? []).map((name) => [name, makeSmallest(node.properties?.[name] as Node)]),
    )
  if (node.type === 'array') return []
  if (node.type === 'integer') return node.minimum ?? 0
  if (node.format === 'date') return '2027-01-01'
  return node.type === 'boolean' ? true : 'x'.repeat(node.minLength ?? 1)
}

export const makeLongText = (length: number): string => 'x'.repeat(length + 1)

export const repeat = <T>(max: number, value: T): T[] => Array.from({ length: max + 1 }, () => value)

import { z } from 'zod'

/** A field of a schema. `wrap` puts a value of the field into the top-level part of an input. */
type Field = { path: string; node: Node; wrap: (value: unknown) => Record<string, unknown> }
type Node = z.core.JSONSchema.JSONSchema

/** Lists an input for each field in which the field is too large. Throws if a field has no largest size. */
export function listTooLargeInputs(schema: z.ZodType) {
  return listFields(schema).map(({ path, node, wrap }) => ({ path, input: wrap(makeTooLarge(node, path)) }))
}

/** Lists an input with this text for each field that takes any text. */
export function listInputsWithText(schema: z.ZodType, text: string) {
  return listFields(schema).flatMap(({ node, wrap }) => (node.type === 'string' && !isFixed(node) ? [wrap(text)] : []))
}

function listFields(schema: z.ZodType): Field[] {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const wrap = (value: unknown) => value as Record<string, unknown>
  if (whole.type !== 'object') return listFieldsBelow(whole, [], wrap)
  return listProperties(whole).flatMap(([name, node]) => listFieldsBelow(node, [name], (value) => ({ [name]: value })))
}

function listFieldsBelow(node: Node, path: string[], wrap: Field['wrap']): Field[] {
  const options = listOptions(node)
  if (options.length > 0) return options.flatMap((option) => listFieldsBelow(option, path, wrap))
  if (node.type === undefined) return []
  if (node.type === 'object')
    return listProperties(node).flatMap(([name, inner]) =>
      listFieldsBelow(inner, [...path, name], (value) => wrap({ ...(makeSmallest(node) as object), [name]: value })),
    )
  const itemFields = node.type === 'array' ? listFieldsBelow(node.items as Node, path, (value) => wrap([value])) : []
  return [{ path: path.join('.'), node, wrap }, ...itemFields]
}

function listOptions({ anyOf = [], oneOf = [], ...node }: Node): Node[] {
  const options = Array.isArray(node.type) ? node.type.map((type) => ({ ...node, type })) : [...anyOf, ...oneOf]
  return options.filter(({ type }) => type !== 'null')
}

function listProperties({ properties = {}, additionalProperties }: Node): [string, Node][] {
  const all = { ...properties, ...(additionalProperties && { key: additionalProperties }) }
  return Object.entries(all) as [string, Node][]
}

/** Tells whether the field takes only certain texts, or texts of one length. */
function isFixed(node: Node): boolean {
  return node.enum !== undefined || node.const !== undefined || node.format === 'date' || node.format === 'uuid'
}

function makeTooLarge(node: Node, path: string): unknown {
  const limits = {
    array: node.maxItems,
    integer: node.maximum,
    string: isFixed(node) ? 100 : node.maxLength,
    boolean: 100,
  }
  const largest = limits[node.type as keyof typeof limits]
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

export const makeLongText = (maxLength: number): string => 'x'.repeat(maxLength + 1)

export const repeat = <T>(maxItems: number, value: T): T[] => Array.from({ length: maxItems + 1 }, () => value)

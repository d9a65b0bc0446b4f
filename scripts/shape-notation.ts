import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema
export type ShapeNotation = ReturnType<typeof createShapeNotation>

/**
 * Describes schemas in a short notation, such as `{id, name?, year: integer(≥0)|null}`: a field without a type is a
 * string. A shape that was defined before stands by its name.
 */
export function createShapeNotation() {
  const namesByShape = new Map<string, string>()

  function describe(schema: JsonSchema | boolean | undefined): string {
    if (typeof schema !== 'object') return 'anything'
    const shape = describeShape(schema)
    return namesByShape.get(shape) ?? shape
  }

  function describeShape(schema: JsonSchema): string {
    const { type, format, minLength, maxLength, minimum, maximum } = schema
    const alternatives = schema.anyOf ?? schema.oneOf
    if (alternatives) return joinAlternatives([...new Set(alternatives.map(describe))])
    if (Array.isArray(type))
      return joinAlternatives(type.map((alternative) => describeShape({ ...schema, type: alternative })))
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    if (type === 'object') return describeObject(schema)
    if (schema.prefixItems) return `[${schema.prefixItems.map(describe).join(', ')}]`
    if (type === 'array') {
      const item = describe(schema.items as JsonSchema)
      const limit = schema.maxItems === undefined ? '' : `≤${schema.maxItems}`
      return `${item.includes('|') ? `(${item})` : item}[${limit}]`
    }
    if (format === 'date') return 'day'
    if (format === 'date-time') return 'moment'
    if (type === 'string') return `${format ?? type}${formatRange(minLength, maxLength)}`
    if (type === 'integer' || type === 'number') return `${type}${formatRange(minimum, maximum)}`
    return type ?? 'anything'
  }

  function describeObject({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
    const fields = Object.entries(properties).map(([name, property]) => {
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
      const { default: value } = property as JsonSchema
      const defaultText = value === undefined ? '' : ` = ${JSON.stringify(value)}`
      const field = required.includes(name) && defaultText === '' ? key : `${key}?`
      const type = describe(property)
      return type === 'string' && defaultText === '' ? field : `${field}: ${type}${defaultText}`
    })
    if (additionalProperties) fields.push(`[key]: ${describe(additionalProperties)}`)
    return `{${fields.join(', ')}}`
  }

  return {
    describeSchema: (schema: z.ZodType, io: 'input' | 'output') => describe(toJsonSchema(schema, io)),
    /** Gives the schema a name from now on, and returns its shape. */
    defineShape(name: string, schema: z.ZodType): string {
      const shape = describeShape(toJsonSchema(schema, 'output'))
      namesByShape.set(shape, name)
      return shape
    },
  }
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' })
}

/** A type that may be null is written `x|null`, closer than other alternatives. */
function joinAlternatives(shapes: string[]) {
  return shapes.join(shapes.length === 2 && shapes[1] === 'null' ? '|' : ' | ')
}

/** Zod gives an integer without a limit the limits of JavaScript's safe integers, so these count as none. */
function formatRange(min = -Infinity, max = Infinity) {
  const hasMin = min > Number.MIN_SAFE_INTEGER
  const hasMax = max < Number.MAX_SAFE_INTEGER
  if (hasMin && hasMax) return `(${min}–${max})`
  if (hasMin) return `(≥${min})`
  return hasMax ? `(≤${max})` : ''
}

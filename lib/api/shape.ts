import { ApiError } from './send'

/** What stands in a field: its type, `object` also for null, or the fields that it has in turn. */
type Field<T> = 'string' | 'number' | 'boolean' | 'array' | 'object' | Shape<NonNullable<T>>
export type Shape<T> = { readonly [Name in keyof T]?: Field<T[Name]> }

/**
 * Reads an answer that has these fields. Looks at the outer shape only: both ends are one build, so what this must tell apart
 * is an answer of ours from a stranger's (a proxy's page); a schema for all that is in it would cost the browser 20 kB.
 */
export function shape<T extends object>(fields: Shape<T>): (body: unknown) => T {
  return (body) => {
    if (!hasShape<T>(body, fields)) throw new ApiError('unreadable', 200)
    return body
  }
}

export function hasShape<T extends object>(value: unknown, fields: Shape<T>): value is T {
  return isRecord(value) && Object.entries(fields).every(([name, field]) => isField(value[name], field))
}

/** What tells a snapshot. */
export const SNAPSHOT = { version: 'number', fetchedAt: 'string' } as const

function isField(value: unknown, field: unknown): boolean {
  if (field === 'array') return Array.isArray(value)
  return typeof field === 'object' && field !== null ? hasShape<object>(value, field) : typeof value === field
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

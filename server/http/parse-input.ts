import 'server-only'
import type { z } from 'zod'
import { InvalidInputError } from '@/server/errors'

/** Checked input, or `InvalidInputError` naming the first field that is wrong; `whole` names it if all of it is. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown, whole: string): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  throw new InvalidInputError([...(issue?.path ?? []), ...unknownKey].map(String).join('.').slice(0, 100) || whole)
}

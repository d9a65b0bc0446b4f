import 'server-only'
import type { Viewer } from '@/server/access/viewer'
import { parseInput } from '@/server/http/parse-input'
import { services } from '@/server/services'
import { preferenceSchema } from './preference-schema'

/** Keeps what the viewer chose. NotFoundError for no such choice, InvalidInputError for a value it cannot have. */
export async function setPreference(viewer: Viewer, name: string, given: unknown): Promise<{ value: object }> {
  const value = parseInput(preferenceSchema(name), given, 'value')
  await services().preferences.keep(viewer.id, name, value)
  return { value }
}

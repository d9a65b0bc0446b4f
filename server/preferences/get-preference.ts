import 'server-only'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { preferenceSchema } from './preference-schema'

/** What the viewer chose; null when nothing, and when what was chosen no longer fits. NotFoundError for no such choice. */
export async function getPreference(viewer: Viewer, name: string): Promise<{ value: object | null }> {
  const schema = preferenceSchema(name)
  const { data } = schema.safeParse(await services().preferences.find(viewer.id, name))
  return { value: data ?? null }
}

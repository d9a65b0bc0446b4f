import 'server-only'
import { type PreferenceName, preferenceSchemas } from '@/lib/contract/preferences'
import { NotFoundError } from '@/server/errors'

export function preferenceSchema(name: string) {
  if (!isName(name)) throw new NotFoundError()
  return preferenceSchemas[name]
}

function isName(name: string): name is PreferenceName {
  return Object.hasOwn(preferenceSchemas, name)
}

import 'server-only'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { type Permission, permissionsOf, readingOnly } from './permissions'

declare const checked: unique symbol

/** A signed-in person whose row was read for this request. Nothing outside `server/access` can make one. */
export type Viewer = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly schools: 'all' | ReadonlySet<string>
  readonly permissions: ReadonlySet<Permission>
  readonly [checked]: true
}

type Person = { id: string; name: string; email: string; role: Role; schools: SchoolScope }

/** The one place where a `Viewer` comes into being; `readOnly` while the database cannot be reached. */
export function makeViewer(person: Person, { readOnly = false } = {}): Viewer {
  const { id, name, email, role } = person
  const granted = permissionsOf[role]
  const viewer: Omit<Viewer, typeof checked> = {
    id,
    name,
    email,
    role,
    schools: person.schools === 'all' ? 'all' : new Set(person.schools),
    permissions: readOnly ? new Set([...granted].filter((permission) => readingOnly.has(permission))) : granted,
  }
  return viewer as Viewer
}

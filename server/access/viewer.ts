import 'server-only'
import { type Permission, PERMISSIONS } from '@/lib/contract/endpoint'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { DatabaseUnreachableError, ForbiddenError } from '@/server/base/errors'

declare const checked: unique symbol
declare const granted: unique symbol

/** A signed-in user, from the last read of their row. Only `server/access` can make one. */
export type Viewer = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly schools: 'all' | ReadonlySet<string>
  readonly permissions: ReadonlySet<Permission>
  /** Suspended during a database outage. */
  readonly withheld: ReadonlySet<Permission>
  /** Must set up a second factor first, and may do nothing else. */
  readonly mustEnrol: boolean
  readonly [checked]: true
}

/** Makes an unchecked call a type error: only `may`, `allow` and a route with that permission return one. */
export type Allowed<P extends Permission> = Viewer & {
  readonly [granted]: { readonly [Q in P | (typeof includes)[P][number]]: true }
}

export type Reader = Allowed<'leads:read'>
export type Decider = Allowed<'leads:triage'>
export type Sender = Allowed<'leads:reply'>
export type Exporter = Allowed<'leads:export'>
export type Admin = Allowed<'admin'>

export function may<P extends Permission>(viewer: Viewer, permission: P): viewer is Allowed<P> {
  return viewer.permissions.has(permission)
}

/** `ForbiddenError` without the permission; `DatabaseUnreachableError` where it is suspended. */
export function allow<P extends Permission>(viewer: Viewer, permission: P): Allowed<P> {
  if (may(viewer, permission)) return viewer
  if (viewer.withheld.has(permission)) throw new DatabaseUnreachableError()
  throw new ForbiddenError()
}

/** Whether a school is in scope; checked for every lead and school that leaves the server. */
export function maySee(viewer: Pick<Viewer, 'schools'>, highSchoolId: string): boolean {
  return viewer.schools === 'all' || viewer.schools.has(highSchoolId)
}

/** All schools of a scope. `all` needs `all`, because schools are added over time. */
export function seesWholeScope(viewer: Pick<Viewer, 'schools'>, reach: SchoolScope): boolean {
  if (viewer.schools === 'all') return true
  return reach !== 'all' && reach.every((id) => maySee(viewer, id))
}

/** Equal for viewers who see the same leads, so that results can be shared. */
export function scopeKey(viewer: Viewer): string {
  const cached = reachByViewer.get(viewer)
  if (cached !== undefined) return cached
  const schools = viewer.schools === 'all' ? 'all' : [...viewer.schools].sort()
  const reach = JSON.stringify([may(viewer, 'leads:read'), schools])
  reachByViewer.set(viewer, reach)
  return reach
}

const reachByViewer = new WeakMap<Viewer, string>()

/** Implied permissions, so that a verb can call another without checking again. */
const includes = {
  'leads:read': ['interest:read'],
  'leads:triage': ['leads:read', 'interest:read'],
  'leads:reply': ['leads:read', 'interest:read'],
  'leads:export': ['leads:read', 'interest:read'],
  'interest:read': [],
  admin: ['leads:read', 'leads:triage', 'leads:reply', 'leads:export', 'interest:read'],
} as const satisfies Record<Permission, readonly Permission[]>

export const permissionsOf: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  staff: withIncluded('leads:triage', 'leads:reply', 'leads:export'),
  manager: withIncluded('interest:read'),
  admin: withIncluded('admin'),
}
/** During a database outage users cannot be verified: reading only, no changes and no exports. */
const readingOnly = withIncluded('leads:read')

function withIncluded(...given: Permission[]): ReadonlySet<Permission> {
  const all = new Set([...given, ...given.flatMap((permission): readonly Permission[] => includes[permission])])
  return new Set(PERMISSIONS.filter((permission) => all.has(permission)))
}

/** All permissions, and no user. */
export function consoleViewer(): Allowed<'admin'> {
  return allow(makeViewer({ id: CONSOLE, name: '', email: '', role: 'admin', schools: 'all' }), 'admin')
}

export function isConsole({ id }: Pick<Viewer, 'id'>): boolean {
  return id === CONSOLE
}

const CONSOLE = 'console'

/** The only place that makes a `Viewer`; `readOnly` during a database outage. */
export function makeViewer(
  { id, name, email, role, schools }: { id: string; name: string; email: string; role: Role; schools: SchoolScope },
  { readOnly = false, mustEnrol = false } = {},
): Viewer {
  const given = mustEnrol ? [] : [...permissionsOf[role]]
  const viewer: Omit<Viewer, typeof checked> = {
    id,
    name,
    email,
    role,
    schools: schools === 'all' && !mustEnrol ? 'all' : new Set(mustEnrol ? [] : schools),
    permissions: new Set(readOnly ? given.filter((permission) => readingOnly.has(permission)) : given),
    withheld: new Set(readOnly ? given.filter((permission) => !readingOnly.has(permission)) : []),
    mustEnrol,
  }
  return viewer as Viewer
}

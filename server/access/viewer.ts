import 'server-only'
import { type Permission, PERMISSIONS } from '@/lib/contract/endpoint'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { DatabaseUnreachableError, ForbiddenError } from '@/server/base/errors'

declare const viewerBrand: unique symbol
declare const allowedBrand: unique symbol

/** A signed-in user, from the last read of their row. Only `server/access` can make one. */
export type Viewer = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly schools: 'all' | ReadonlySet<string>
  readonly permissions: ReadonlySet<Permission>
  /** Suspended during a database outage. */
  readonly suspendedPermissions: ReadonlySet<Permission>
  /** Must set up a second factor first, and may do nothing else. */
  readonly mustEnrol: boolean
  readonly [viewerBrand]: true
}

/** Makes an unchecked call a type error: only `may`, `allow` and a route with that permission return one. */
export type Allowed<P extends Permission> = Viewer & {
  readonly [allowedBrand]: { readonly [Q in P | (typeof impliedPermissions)[P][number]]: true }
}

export type Reader = Allowed<'leads:read'>
export type Decider = Allowed<'leads:triage'>
export type Replier = Allowed<'leads:reply'>
export type Exporter = Allowed<'leads:export'>
export type Admin = Allowed<'admin'>

export function may<P extends Permission>(viewer: Viewer, permission: P): viewer is Allowed<P> {
  return viewer.permissions.has(permission)
}

/** `ForbiddenError` without the permission; `DatabaseUnreachableError` where it is suspended. */
export function requirePermission<P extends Permission>(viewer: Viewer, permission: P): Allowed<P> {
  if (may(viewer, permission)) return viewer
  if (viewer.suspendedPermissions.has(permission)) throw new DatabaseUnreachableError()
  throw new ForbiddenError()
}

/** Whether a school is in scope; checked for every lead and school that leaves the server. */
export function maySeeSchool(viewer: Pick<Viewer, 'schools'>, highSchoolId: string): boolean {
  return viewer.schools === 'all' || viewer.schools.has(highSchoolId)
}

/** All schools of a scope. `all` needs `all`, because schools are added over time. */
export function maySeeScope(viewer: Pick<Viewer, 'schools'>, scope: SchoolScope): boolean {
  if (viewer.schools === 'all') return true
  return scope !== 'all' && scope.every((id) => maySeeSchool(viewer, id))
}

/** Equal for viewers who see the same leads, so that results can be shared. */
export function scopeKey(viewer: Viewer): string {
  const cached = scopeKeyByViewer.get(viewer)
  if (cached !== undefined) return cached
  const schools = viewer.schools === 'all' ? 'all' : [...viewer.schools].sort()
  const reach = JSON.stringify([may(viewer, 'leads:read'), schools])
  scopeKeyByViewer.set(viewer, reach)
  return reach
}

const scopeKeyByViewer = new WeakMap<Viewer, string>()

/** Implied permissions, so that a verb can call another without checking again. */
const impliedPermissions = {
  'leads:read': ['interest:read'],
  'leads:triage': ['leads:read', 'interest:read'],
  'leads:reply': ['leads:read', 'interest:read'],
  'leads:export': ['leads:read', 'interest:read'],
  'interest:read': [],
  admin: ['leads:read', 'leads:triage', 'leads:reply', 'leads:export', 'interest:read'],
} as const satisfies Record<Permission, readonly Permission[]>

export const permissionsByRole: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  staff: withImplied('leads:triage', 'leads:reply', 'leads:export'),
  manager: withImplied('interest:read'),
  admin: withImplied('admin'),
}
/** During a database outage users cannot be verified: reading only, no changes and no exports. */
const outagePermissions = withImplied('leads:read')

function withImplied(...permissions: Permission[]): ReadonlySet<Permission> {
  const all = new Set([...permissions, ...permissions.flatMap((permission): readonly Permission[] => impliedPermissions[permission])])
  return new Set(PERMISSIONS.filter((permission) => all.has(permission)))
}

/** All permissions, and no user. */
export function createConsoleViewer(): Allowed<'admin'> {
  return requirePermission(makeViewer({ id: CONSOLE, name: '', email: '', role: 'admin', schools: 'all' }), 'admin')
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
  const given = mustEnrol ? [] : [...permissionsByRole[role]]
  const viewer: Omit<Viewer, typeof viewerBrand> = {
    id,
    name,
    email,
    role,
    schools: schools === 'all' && !mustEnrol ? 'all' : new Set(mustEnrol ? [] : schools),
    permissions: new Set(readOnly ? given.filter((permission) => outagePermissions.has(permission)) : given),
    suspendedPermissions: new Set(readOnly ? given.filter((permission) => !outagePermissions.has(permission)) : []),
    mustEnrol,
  }
  return viewer as Viewer
}

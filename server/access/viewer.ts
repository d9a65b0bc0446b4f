import 'server-only'
import { type Permission, PERMISSIONS } from '@/lib/contract/endpoint'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { DatabaseUnreachableError, ForbiddenError } from '@/server/base/errors'

declare const viewerBrand: unique symbol
declare const allowedBrand: unique symbol

/** A signed-in user as their row was last read. Only `makeViewer` creates one. */
export type Viewer = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly schools: 'all' | ReadonlySet<string>
  readonly permissions: ReadonlySet<Permission>
  /** Permissions of the role that are suspended during a database outage. */
  readonly suspendedPermissions: ReadonlySet<Permission>
  /** The user must set up a second factor, and has no permission until then. */
  readonly mustEnrol: boolean
  readonly [viewerBrand]: true
}

/** A viewer whose permission was checked by `may`, `requirePermission` or a route, so that no verb runs unchecked. */
export type Allowed<P extends Permission> = Viewer & {
  readonly [allowedBrand]: { readonly [Q in P | (typeof impliedPermissions)[P][number]]: true }
}

// These names say what a viewer may do.
export type Reader = Allowed<'leads:read'>
export type Decider = Allowed<'leads:triage'>
export type Replier = Allowed<'leads:reply'>
export type Exporter = Allowed<'leads:export'>
export type Admin = Allowed<'admin'>

export function may<P extends Permission>(viewer: Viewer, permission: P): viewer is Allowed<P> {
  return viewer.permissions.has(permission)
}

/** Throws `ForbiddenError` without the permission, and `DatabaseUnreachableError` while it is suspended. */
export function requirePermission<P extends Permission>(viewer: Viewer, permission: P): Allowed<P> {
  if (may(viewer, permission)) return viewer
  if (viewer.suspendedPermissions.has(permission)) throw new DatabaseUnreachableError()
  throw new ForbiddenError()
}

/** Whether the viewer may see a school. Every lead and school that leaves the server is checked. */
export function maySeeSchool(viewer: Pick<Viewer, 'schools'>, highSchoolId: string): boolean {
  return viewer.schools === 'all' || viewer.schools.has(highSchoolId)
}

/** Whether the viewer may see a whole scope. For `all` they need `all`, because schools are added over time. */
export function maySeeScope(viewer: Pick<Viewer, 'schools'>, scope: SchoolScope): boolean {
  if (viewer.schools === 'all') return true
  return scope !== 'all' && scope.every((id) => maySeeSchool(viewer, id))
}

/** A key that is equal for viewers who see the same leads, so that they can share cached results. */
export function scopeKey(viewer: Viewer): string {
  const cached = scopeKeyByViewer.get(viewer)
  if (cached !== undefined) return cached
  const schools = viewer.schools === 'all' ? 'all' : [...viewer.schools].sort()
  const key = JSON.stringify([may(viewer, 'leads:read'), schools])
  scopeKeyByViewer.set(viewer, key)
  return key
}

const scopeKeyByViewer = new WeakMap<Viewer, string>()

/** The permissions that each permission implies, so that a verb can call another without a second check. */
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

/** During a database outage rights cannot be verified, so only reading is allowed, without changes or exports. */
const outagePermissions = withImplied('leads:read')

function withImplied(...permissions: Permission[]): ReadonlySet<Permission> {
  const all = new Set([
    ...permissions,
    ...permissions.flatMap((permission): readonly Permission[] => impliedPermissions[permission]),
  ])
  return new Set(PERMISSIONS.filter((permission) => all.has(permission)))
}

/** The viewer of console commands has all permissions and belongs to no user. */
export function createConsoleViewer(): Allowed<'admin'> {
  return requirePermission(makeViewer({ id: CONSOLE_ID, name: '', email: '', role: 'admin', schools: 'all' }), 'admin')
}

export function isConsole({ id }: Pick<Viewer, 'id'>): boolean {
  return id === CONSOLE_ID
}

const CONSOLE_ID = 'console'

/** Creates a `Viewer`; nothing else does. `readOnly` is set during a database outage. */
export function makeViewer(
  { id, name, email, role, schools }: { id: string; name: string; email: string; role: Role; schools: SchoolScope },
  { readOnly = false, mustEnrol = false } = {},
): Viewer {
  const permissions = mustEnrol ? [] : [...permissionsByRole[role]]
  const viewer: Omit<Viewer, typeof viewerBrand> = {
    id,
    name,
    email,
    role,
    schools: schools === 'all' && !mustEnrol ? 'all' : new Set(mustEnrol ? [] : schools),
    permissions: new Set(
      readOnly ? permissions.filter((permission) => outagePermissions.has(permission)) : permissions,
    ),
    suspendedPermissions: new Set(
      readOnly ? permissions.filter((permission) => !outagePermissions.has(permission)) : [],
    ),
    mustEnrol,
  }
  return viewer as Viewer
}

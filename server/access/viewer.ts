import type { Permission } from '@/lib/contract/endpoint'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { DatabaseUnreachableError, ForbiddenError } from '@/server/base/errors'
import { type IMPLIED_PERMISSIONS, OUTAGE_PERMISSIONS, PERMISSIONS_BY_ROLE } from './permissions'

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
  /** The role has these permissions, but not during a database outage. */
  readonly suspendedPermissions: ReadonlySet<Permission>
  /** The user must set up a second factor, and has no permission until then. */
  readonly mustEnrol: boolean
  readonly [viewerBrand]: true
}

export type Allowed<P extends Permission> = Viewer & {
  readonly [allowedBrand]: { readonly [Q in P | (typeof IMPLIED_PERMISSIONS)[P][number]]: true }
}

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

/** Every lead and school that leaves the server has passed this check. */
export function maySeeSchool(viewer: Pick<Viewer, 'schools'>, highSchoolId: string) {
  return viewer.schools === 'all' || viewer.schools.has(highSchoolId)
}

/** Checks a whole scope. For `all` the viewer needs `all`, because schools are added over time. */
export function maySeeScope(viewer: Pick<Viewer, 'schools'>, scope: SchoolScope) {
  if (viewer.schools === 'all') return true
  return scope !== 'all' && scope.every((id) => maySeeSchool(viewer, id))
}

const scopeKeyByViewer = new WeakMap<Viewer, string>()

/** Returns the same key for viewers who see the same leads, although not always the same protected identities. */
export function toScopeKey(viewer: Viewer): string {
  const cachedKey = scopeKeyByViewer.get(viewer)
  if (cachedKey !== undefined) return cachedKey
  const schools = viewer.schools === 'all' ? 'all' : [...viewer.schools].sort()
  const key = JSON.stringify([may(viewer, 'leads:read'), schools])
  scopeKeyByViewer.set(viewer, key)
  return key
}

const CONSOLE_ID = 'console'

/** The viewer of console commands has all permissions and belongs to no user. */
export function createConsoleViewer() {
  return requirePermission(makeViewer({ id: CONSOLE_ID, name: '', email: '', role: 'admin', schools: 'all' }), 'admin')
}

export function isConsole({ id }: Pick<Viewer, 'id'>) {
  return id === CONSOLE_ID
}

type ViewerUser = Pick<Viewer, 'id' | 'name' | 'email' | 'role'> & { schools: SchoolScope }

/** The only function that creates a `Viewer`. During a database outage it is `readOnly`. */
export function makeViewer(user: ViewerUser, { readOnly = false, mustEnrol = false } = {}): Viewer {
  const { id, name, email, role, schools } = user
  const rolePermissions = mustEnrol ? [] : [...PERMISSIONS_BY_ROLE[role]]
  const isActive = (permission: Permission) => !readOnly || OUTAGE_PERMISSIONS.has(permission)
  const scope = mustEnrol ? [] : schools
  const viewer: Omit<Viewer, typeof viewerBrand> = {
    id,
    name,
    email,
    role,
    mustEnrol,
    schools: scope === 'all' ? 'all' : new Set(scope),
    permissions: new Set(rolePermissions.filter(isActive)),
    suspendedPermissions: new Set(rolePermissions.filter((permission) => !isActive(permission))),
  }
  return viewer as Viewer
}

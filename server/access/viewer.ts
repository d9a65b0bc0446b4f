import 'server-only'
import { type Permission, PERMISSIONS } from '@/lib/contract/endpoint'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { DatabaseUnreachableError, ForbiddenError } from '@/server/errors'

declare const checked: unique symbol
declare const granted: unique symbol

/** A signed-in person, by their row as it was last told. Nothing outside `server/access` can make one. */
export type Viewer = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly schools: 'all' | ReadonlySet<string>
  readonly permissions: ReadonlySet<Permission>
  /** What their role gives and nobody has while the database cannot be reached. */
  readonly withheld: ReadonlySet<Permission>
  /** Their role asks for a second factor that they do not have: they may get one, and nothing else. */
  readonly mustEnrol: boolean
  readonly [checked]: true
}

/** A verb that takes one cannot be called unchecked: only `may`, `allow` and a route with that permission give it. */
export type Allowed<P extends Permission> = Viewer & { readonly [granted]: { readonly [Q in Included<P>]: true } }

export function may<P extends Permission>(viewer: Viewer, permission: P): viewer is Allowed<P> {
  return viewer.permissions.has(permission)
}

/** `ForbiddenError` without the permission; `DatabaseUnreachableError` where it is withheld for now. */
export function allow<P extends Permission>(viewer: Viewer, permission: P): Allowed<P> {
  if (may(viewer, permission)) return viewer
  if (viewer.withheld.has(permission)) throw new DatabaseUnreachableError()
  throw new ForbiddenError()
}

/** Whether a school is within the viewer's reach; asked for every lead and school that leaves the server. */
export function maySee(viewer: Pick<Viewer, 'schools'>, highSchoolId: string): boolean {
  return viewer.schools === 'all' || viewer.schools.has(highSchoolId)
}

/** Whether somebody sees every school of a reach; all schools are seen only by who sees all, as others may come. */
export function seesAllOf(viewer: Pick<Viewer, 'schools'>, reach: SchoolScope): boolean {
  if (viewer.schools === 'all') return true
  return reach !== 'all' && reach.every((id) => maySee(viewer, id))
}

/** The same text for all who see the same leads, so that what is worked out for one is there for the others. */
export function reachOf(viewer: Viewer): string {
  const known = reaches.get(viewer)
  if (known !== undefined) return known
  const schools = viewer.schools === 'all' ? 'all' : [...viewer.schools].sort()
  const reach = JSON.stringify([may(viewer, 'leads:read'), schools])
  reaches.set(viewer, reach)
  return reach
}

const reaches = new WeakMap<Viewer, string>()

type Included<P extends Permission> = P | (typeof includes)[P][number]

/** Who may do the one may do the others, so that a verb can call another without asking again. */
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
/** What is left while the database cannot confirm who somebody is: reading, but no changes and no exports. */
const readingOnly = withIncluded('leads:read')

function withIncluded(...given: Permission[]): ReadonlySet<Permission> {
  const all = new Set([...given, ...given.flatMap((permission): readonly Permission[] => includes[permission])])
  return new Set(PERMISSIONS.filter((permission) => all.has(permission)))
}

/** Who sits at the server's own console: may everything, and is nobody among the people. */
export function consoleViewer(): Allowed<'admin'> {
  return allow(makeViewer({ id: CONSOLE, name: '', email: '', role: 'admin', schools: 'all' }), 'admin')
}

export function isConsole({ id }: Pick<Viewer, 'id'>): boolean {
  return id === CONSOLE
}

const CONSOLE = 'console'

type Person = { id: string; name: string; email: string; role: Role; schools: SchoolScope }

/** The one place where a `Viewer` comes into being; `readOnly` while the database cannot be reached. */
export function makeViewer(person: Person, { readOnly = false, mustEnrol = false } = {}): Viewer {
  const { id, name, email, role, schools } = person
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

import type { Permission } from '@/lib/contract/endpoint'
import type { Role } from '@/lib/contract/user'

/** The permissions that each permission implies, so that a verb can call another without a second check. */
export const IMPLIED_PERMISSIONS = {
  'leads:read': ['interest:read'],
  'leads:triage': ['leads:read', 'interest:read'],
  'leads:reply': ['leads:read', 'interest:read'],
  'leads:export': ['leads:read', 'interest:read'],
  'interest:read': [],
  admin: ['leads:read', 'leads:triage', 'leads:reply', 'leads:export', 'interest:read'],
} as const satisfies Record<Permission, readonly Permission[]>

export const PERMISSIONS_BY_ROLE: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  staff: withImplied('leads:triage', 'leads:reply', 'leads:export'),
  manager: withImplied('interest:read'),
  admin: withImplied('admin'),
}

/** During a database outage rights cannot be verified, so only reading is allowed. */
export const OUTAGE_PERMISSIONS = withImplied('leads:read')

function withImplied(...permissions: Permission[]): ReadonlySet<Permission> {
  return new Set(permissions.flatMap((permission): Permission[] => [permission, ...IMPLIED_PERMISSIONS[permission]]))
}

import 'server-only'
import type { Role } from '@/lib/contract/user'

export type Permission = 'leads:read' | 'leads:triage' | 'leads:export' | 'interest:read' | 'admin'

/** Managers see counts only; administrators may do everything. */
export const permissionsOf: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  staff: new Set(['leads:read', 'leads:triage', 'leads:export', 'interest:read']),
  manager: new Set(['interest:read']),
  admin: new Set(['leads:read', 'leads:triage', 'leads:export', 'interest:read', 'admin']),
}

/** What is left while the database cannot confirm who somebody is: reading, and nothing that changes or leaves. */
export const readingOnly: ReadonlySet<Permission> = new Set(['leads:read', 'interest:read'])

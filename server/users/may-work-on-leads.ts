import 'server-only'
import { permissionsOf } from '@/server/access/permissions'
import type { StoredUser } from './users'

/** Whether leads can be assigned to this person at all. */
export function mayWorkOnLeads({ role, disabled }: Pick<StoredUser, 'role' | 'disabled'>): boolean {
  return !disabled && permissionsOf[role].has('leads:triage')
}

import 'server-only'
import type { User } from '@/lib/contract/user'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { toUser } from './to-user'

export async function listUsers(viewer: Viewer): Promise<User[]> {
  requirePermission(viewer, 'admin')
  return (await services().users.list()).map(toUser)
}

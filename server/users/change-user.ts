import 'server-only'
import type { User, UserChange } from '@/lib/contract/user'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { NotFoundError } from '@/server/errors'
import { services } from '@/server/services'
import { toUser } from './to-user'

/** Takes effect at the person's next request, and on their open streams at once. `ConflictError` when no administrator would be left. */
export async function changeUser(viewer: Viewer, id: string, change: UserChange): Promise<User> {
  requirePermission(viewer, 'admin')
  const { users, activity, announcer } = services()
  const changed = await users.change(id, change)
  if (!changed) throw new NotFoundError()
  announcer.person(id)
  const fields = Object.keys(change)
  if (fields.length > 0) {
    await activity.record({ userId: viewer.id, action: 'user-changed', details: { user: id, ...summaryOf(change) } })
  }
  return toUser(changed)
}

function summaryOf({ role, schools, disabled }: UserChange) {
  return {
    ...(role === undefined ? {} : { role }),
    ...(schools === undefined ? {} : { schools }),
    ...(disabled === undefined ? {} : { disabled }),
  }
}

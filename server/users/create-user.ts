import 'server-only'
import type { NewUser, NewUserAnswer } from '@/lib/contract/user'
import { hashPassword } from '@/server/access/password'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { inviteUrl } from './invite-url'

/** With a password the person can sign in at once; without one, `inviteUrl` is where to set it. */
export async function createUser(viewer: Viewer, input: NewUser): Promise<NewUserAnswer> {
  requirePermission(viewer, 'admin')
  const { users, invitations, activity, env } = services()
  const { password, ...person } = input
  const passwordHash = password === undefined ? null : await hashPassword(password)
  const { id } = await users.create({ ...person, passwordHash })
  await activity.record({ userId: viewer.id, action: 'user-created', details: { user: id, role: person.role } })
  if (passwordHash !== null) return { id }
  return { id, inviteUrl: inviteUrl(env, await invitations.issue(id)) }
}

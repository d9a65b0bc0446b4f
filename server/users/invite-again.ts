import 'server-only'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { ConflictError, NotFoundError } from '@/server/errors'
import { services } from '@/server/services'
import { inviteUrl } from './invite-url'

/**
 * A new invitation for somebody who never came: the one before has run out or was lost, and no longer holds. ConflictError for
 * a person who has signed in already or is disabled.
 */
export async function inviteAgain(viewer: Viewer, id: string): Promise<{ inviteUrl: string }> {
  requirePermission(viewer, 'admin')
  const { users, invitations, activity, env } = services()
  const user = await users.find(id)
  if (!user) throw new NotFoundError()
  if (user.activatedAt !== null || user.disabled) throw new ConflictError('This person needs no invitation')
  const token = await invitations.reissue(id)
  await activity.record({ userId: viewer.id, action: 'invitation-issued', details: { user: id } })
  return { inviteUrl: inviteUrl(env, token) }
}

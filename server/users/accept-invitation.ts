import 'server-only'
import { hashPassword } from '@/server/access/password'
import { NotFoundError } from '@/server/errors'
import { services } from '@/server/services'

/** Unknown, used and expired invitations look alike. Hashing is dear, so it comes after the first look. */
export async function acceptInvitation({ token, password }: { token: string; password: string }): Promise<void> {
  const { invitations, activity, announcer } = services()
  if (!(await invitations.isOpen(token))) throw new NotFoundError()
  const userId = await invitations.redeem(token, await hashPassword(password))
  if (userId === null) throw new NotFoundError()
  announcer.person(userId)
  await activity.record({ userId, action: 'invitation-accepted' })
}

import { ConflictError } from '@/server/errors'
import { inviteUrl } from '@/server/users/invitations'
import { mayUsePassword } from '@/server/access/password-sign-in'
import { purposeFor } from '@/server/users/administration'
import { type AdminCommand, argumentsOf, personNamed, withServices } from './command'

/** For when nobody is left who could hand over a link on `/admin/users`. */
export const resetLink: AdminCommand = {
  usage: 'reset-link EMAIL',
  says: 'prints a link with which this person sets a new password, valid for a day',
  run: async (args) => {
    const [email = ''] = argumentsOf(args, 1, {}).named
    return withServices(async ({ env, connect, users, invitations, activity }) => {
      const user = await personNamed(users, email)
      if (user.disabled) throw new ConflictError('This person is disabled.')
      if (!mayUsePassword(env, user)) {
        throw new ConflictError('PASSWORD_SIGN_IN is off: this person signs in at the provider (see break-glass).')
      }
      const purpose = purposeFor(user)
      const db = await connect()
      const token = await db.transaction(async (tx) => {
        await activity.recordIn(tx, {
          userId: null,
          action: 'reset-link-issued',
          details: { user: user.id, console: true },
        })
        return invitations.issue(tx, user.id, purpose)
      })
      return inviteUrl(env, token, purpose)
    })
  },
}

import { FACTOR_SECRETS, forgiveSecrets } from '@/server/access/secret-counters'
import { type AdminCommand, argumentsOf, personNamed, withServices } from './command'

/** For a sole administrator whose telephone and recovery codes are gone. */
export const removeFactors: AdminCommand = {
  usage: 'remove-factors EMAIL',
  says: 'takes away every second factor of this person, whose sessions end',
  run: async (args) => {
    const [email = ''] = argumentsOf(args, 1, {}).named
    return withServices(async ({ connect, users, secondFactors, throttle, sessions, activity, announcer }) => {
      const { id } = await personNamed(users, email)
      const db = await connect()
      const count = await db.transaction(async (tx) => {
        const removed = await secondFactors.removeAll(tx, id)
        await forgiveSecrets(throttle, tx, id, FACTOR_SECRETS)
        await sessions.endAll(tx, id, 'access')
        const details = { user: id, count: removed, console: true }
        await activity.recordIn(tx, { userId: null, action: 'second-factor-removed', details })
        return removed
      })
      await announcer.person(id)
      return `${count} removed. The password alone lets ${email} in now.`
    })
  },
}

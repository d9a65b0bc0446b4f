import { eq } from 'drizzle-orm'
import { users as table } from '@/server/db/schema'
import { ConflictError } from '@/server/errors'
import { inviteUrl } from '@/server/users/invitations'
import { type AdminCommand, argumentsOf, personNamed, withServices } from './command'

/** An administrator who may sign in by password although `PASSWORD_SIGN_IN=off`, for the day the provider is down. */
export const breakGlass: AdminCommand = {
  usage: 'break-glass EMAIL [--off]',
  says: 'lets an administrator in by password whatever PASSWORD_SIGN_IN says, and prints a link; --off takes it back',
  run: async (args) => {
    const { values, named } = argumentsOf(args, 1, { off: { type: 'boolean' } })
    const [email = ''] = named
    return values.off === true ? takeBack(email) : give(email)
  },
}

function give(email: string): Promise<string> {
  return withServices(async ({ env, connect, users, invitations, activity }) => {
    const known = await users.findByEmail(email)
    if (known && known.role !== 'admin') throw new ConflictError('This person is no administrator.')
    if (known?.disabled) throw new ConflictError('This person is disabled.')
    const db = await connect()
    return db.transaction(async (tx) => {
      const made = { email, name: email, role: 'admin', schools: 'all', passwordHash: null } as const
      const { id, passwordHash } = known ?? (await users.create(tx, made))
      await tx.update(table).set({ breakGlass: true }).where(eq(table.id, id))
      const details = { user: id, allowed: true, console: true }
      await activity.recordIn(tx, { userId: null, action: 'break-glass-changed', details })
      const purpose = passwordHash === null ? 'invitation' : 'reset'
      return inviteUrl(env, await invitations.issue(tx, id, purpose), purpose)
    })
  })
}

function takeBack(email: string): Promise<string> {
  return withServices(async ({ connect, users, sessions, activity, announcer }) => {
    const { id } = await personNamed(users, email)
    const db = await connect()
    await db.transaction(async (tx) => {
      await tx.update(table).set({ breakGlass: false }).where(eq(table.id, id))
      await sessions.endAll(tx, id, 'access')
      const details = { user: id, allowed: false, console: true }
      await activity.recordIn(tx, { userId: null, action: 'break-glass-changed', details })
    })
    await announcer.person(id)
    return `${email} signs in like everybody else again.`
  })
}

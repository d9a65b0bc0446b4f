import 'server-only'
import { eq } from 'drizzle-orm'
import { accessCommand, command } from '@/server/access/command'
import { mayUsePassword } from '@/server/access/sign-in-rules'
import { consoleViewer } from '@/server/access/viewer'
import { users as table } from '@/server/base/schema'
import { ConflictError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { acceptDataKey } from './database-identity'
import { linkByConsole, purposeFor } from '@/server/access/administration'
import { inviteUrl } from '@/server/access/invitations'
import type { StoredUser } from '@/server/access/users'
import { type AdminCommand, argumentsOf, UsageError, withServices } from './command'

async function personNamed({ users }: Pick<Services, 'users'>, email: string): Promise<StoredUser> {
  const user = await users.findByEmail(email)
  if (!user) throw new Error(`Nobody has the address "${email}".`)
  return user
}

export const resetLink: AdminCommand = {
  usage: 'reset-link EMAIL',
  says: 'prints a link with which this person sets a new password, valid for a day',
  run: async (args) => {
    const [email = ''] = argumentsOf(args, 1, {}).named
    return withServices(async (parts) => {
      const user = await personNamed(parts, email)
      if (user.disabled) throw new ConflictError('This person is disabled.')
      if (!mayUsePassword(parts.env, user))
        throw new ConflictError('PASSWORD_SIGN_IN is off: this person signs in at the provider (see break-glass).')
      return linkByConsole(parts, user.id, purposeFor(user))
    })
  },
}

/** An administrator who may sign in by password although `PASSWORD_SIGN_IN=off`, for the day the provider is down. */
export const breakGlass: AdminCommand = {
  usage: 'break-glass EMAIL [--off]',
  says: 'lets an administrator in by password whatever PASSWORD_SIGN_IN says, and prints a link; --off takes it back',
  run: async (args) => {
    const { values, named } = argumentsOf(args, 1, { off: { type: 'boolean' } })
    const [email = ''] = named
    return withServices((parts) => (values.off === true ? takeBack(parts, email) : give(parts, email)))
  },
}

async function give(parts: Services, email: string): Promise<string> {
  const { env, users, invitations } = parts
  const known = await users.findByEmail(email)
  if (known && known.role !== 'admin') throw new ConflictError('This person is no administrator.')
  if (known?.disabled) throw new ConflictError('This person is disabled.')
  return command(parts, consoleViewer(), 'admin', async (tx, log) => {
    const made = { email, name: email, role: 'admin', schools: 'all', passwordHash: null } as const
    const { id, passwordHash } = known ?? (await users.create(tx, made))
    await tx.update(table).set({ breakGlass: true }).where(eq(table.id, id))
    await log({ action: 'break-glass-changed', details: { user: id, allowed: true } })
    const purpose = passwordHash === null ? 'invitation' : 'reset'
    return inviteUrl(env, await invitations.issue(tx, id, purpose), purpose)
  })
}

async function takeBack(parts: Services, email: string): Promise<string> {
  const { id } = await personNamed(parts, email)
  await accessCommand(parts, consoleViewer(), 'admin', id, async (tx, log) => {
    await tx.update(table).set({ breakGlass: false }).where(eq(table.id, id))
    await parts.sessions.endAll(tx, id, 'access')
    await log({ action: 'break-glass-changed', details: { user: id, allowed: false } })
  })
  return `${email} signs in like everybody else again.`
}

export const acceptKey: AdminCommand = {
  usage: 'accept-key --lost',
  says: 'takes DATA_KEY as the key of this database; what a lost key has sealed stays shut',
  isAlone: true,
  run: async (args) => {
    const { lost } = argumentsOf(args, 0, { lost: { type: 'boolean' } }).values
    if (lost !== true)
      throw new UsageError(
        'Notes, saved views, second factors and protected identities that the key of before has sealed cannot be opened again. If that key is lost for good: accept-key --lost',
      )
    return withServices(
      async (parts) => {
        await acceptDataKey(parts)
        const details = { setting: 'data-key', accepted: true }
        await parts.activity.record({ userId: null, action: 'settings-changed', details })
        return 'DATA_KEY is the key of this database now. Intag starts with it.'
      },
      { isKeyLost: true },
    )
  },
}

import 'server-only'
import { eq } from 'drizzle-orm'
import { type NewUser, newUserSchema } from '@/lib/contract/user'
import { createUser, issueLink, unbindUser } from '@/server/access/administration'
import { command } from '@/server/access/command'
import { openLink } from '@/server/access/invitations'
import { mayUsePassword } from '@/server/access/sign-in-rules'
import type { StoredUser } from '@/server/access/users'
import { consoleViewer } from '@/server/access/viewer'
import { ConflictError } from '@/server/base/errors'
import { users as table } from '@/server/base/schema'
import type { Services } from '@/server/base/services'

/** What was typed after the name of a command. */
export type Given = { words: string[]; options: Record<string, string | boolean | undefined> }

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * For an administrator whom single sign-on or `PASSWORD_SIGN_IN=off` would keep out it allows a password, too: the provider
 * may be what is broken. Disabling the user takes that back.
 */
export async function addAdmin(services: Services, { words: [email = ''], options }: Given): Promise<string> {
  const { env, users } = services
  const person = personFrom({ email, name: options.name ?? email, role: 'admin', schools: 'all' })
  return command(services, consoleViewer(), 'admin', async (tx, log) => {
    const known = await users.findByEmail(person.email, tx)
    if (known && (known.disabled || known.role !== 'admin'))
      throw new ConflictError(`${known.email} already exists: ${known.disabled ? 'disabled' : known.role}.`)
    const user = known ?? (await users.create(tx, { ...person, passwordHash: null }))
    if (!known) await log({ action: 'user-created', details: { user: user.id, role: 'admin' } })
    else await log({ action: 'reset-link-issued', details: { user: user.id } })
    if (!mayUsePassword(env, user)) {
      await tx.update(table).set({ breakGlass: true }).where(eq(table.id, user.id))
      await log({ action: 'break-glass-changed', details: { user: user.id, allowed: true } })
    }
    return (await openLink(services, tx, user)).url
  })
}

export async function invite(services: Services, { words: [email = ''], options }: Given): Promise<string> {
  const { name = email, role = 'staff', schools = '' } = options
  const ids = String(schools).split(',')
  const scope = schools === 'all' ? 'all' : ids.filter((id) => id !== '')
  return (await createUser(services, consoleViewer(), personFrom({ email, name, role, schools: scope }))).inviteUrl
}

/** `UsageError` for what no user can have. */
function personFrom(given: unknown): NewUser {
  const { data, error } = newUserSchema.safeParse(given)
  if (data) return data
  const fields = error.issues.map(({ path }) => (path[0] === 'email' ? 'EMAIL' : `--${String(path[0])}`))
  throw new UsageError(`${[...new Set(fields)].join(', ')} cannot be used.`)
}

export async function resetLink(services: Services, { words: [email = ''] }: Given): Promise<string> {
  const { id } = await userNamed(services, email)
  return (await issueLink(services, consoleViewer(), { id })).inviteUrl
}

export async function unlink(services: Services, { words: [email], options }: Given): Promise<string> {
  if ((email === undefined) !== (options.all === true)) throw new UsageError('It takes EMAIL, or --all.')
  const linked = async () => (await services.users.list()).filter(({ issuer }) => issuer !== null)
  const users = email === undefined ? await linked() : [await userNamed(services, email)]
  for (const { id } of users) await unbindUser(services, consoleViewer(), { id })
  return 'Removed. The next sign-in at the provider finds its user by email.'
}

async function userNamed({ users }: Services, email: string): Promise<StoredUser> {
  const user = await users.findByEmail(email)
  if (!user) throw new Error(`Nobody has the address "${email}".`)
  return user
}

import 'server-only'
import type { NewUser, NewUserAnswer, User, UserChange } from '@/lib/contract/user'
import { command, type CommandParts } from '@/server/access/command'
import { hashPassword } from '@/server/access/password'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Env } from '@/server/env'
import { ConflictError, NotFoundError } from '@/server/errors'
import { type Invitations, inviteUrl } from './invitations'
import type { StoredUser, Users } from './users'

/** Everybody who may sign in, as administrators see them. */
export async function listUsers({ users }: { users: Pick<Users, 'list'> }, _viewer: Allowed<'admin'>): Promise<User[]> {
  return (await users.list()).map(toUser)
}

type Inviting = CommandParts & { users: Users; invitations: Invitations; env: Pick<Env, 'auth'> }

/**
 * With a password the person can sign in at once; without one, `inviteUrl` is where to set it. `ConflictError` when the
 * e-mail is taken.
 */
export async function createUser(parts: Inviting, viewer: Allowed<'admin'>, input: NewUser): Promise<NewUserAnswer> {
  const { password, ...person } = input
  const passwordHash = password === undefined ? null : await hashPassword(password)
  return command(parts, viewer, 'admin', async (tx, log) => {
    const { id } = await parts.users.create(tx, { ...person, passwordHash })
    await log({ action: 'user-created', details: { user: id, role: person.role } })
    if (passwordHash !== null) return { id }
    return { id, inviteUrl: inviteUrl(parts.env, await parts.invitations.issue(tx, id)) }
  })
}

/**
 * A new invitation for somebody who never signed in; the one before is no longer valid. `ConflictError` for a person who has
 * signed in already or is disabled.
 */
export async function inviteAgain(parts: Inviting, viewer: Viewer, id: string): Promise<{ inviteUrl: string }> {
  return command(parts, viewer, 'admin', async (tx, log) => {
    const user = await parts.users.find(id, tx)
    if (!user) throw new NotFoundError()
    if (user.activatedAt !== null || user.disabled) throw new ConflictError('This person needs no invitation')
    const token = await parts.invitations.reissue(tx, id)
    await log({ action: 'invitation-issued', details: { user: id } })
    return { inviteUrl: inviteUrl(parts.env, token) }
  })
}

/**
 * Takes effect at the person's next request, and on their open streams at once. `ConflictError` when no administrator would
 * be left.
 */
export async function changeUser(
  parts: CommandParts & { users: Pick<Users, 'change'>; announcer: { person: (userId: string) => Promise<void> } },
  viewer: Viewer,
  id: string,
  { role, schools, disabled }: UserChange,
): Promise<User> {
  const change = {
    ...(role === undefined ? {} : { role }),
    ...(schools === undefined ? {} : { schools }),
    ...(disabled === undefined ? {} : { disabled }),
  }
  const changed = await command(parts, viewer, 'admin', async (tx, log) => {
    const user = await parts.users.change(tx, id, change)
    if (!user) throw new NotFoundError()
    if (Object.keys(change).length === 0) log.nothing()
    else await log({ action: 'user-changed', details: { user: id, ...change } })
    return user
  })
  await parts.announcer.person(id)
  return toUser(changed)
}

/** Nothing of the password. */
function toUser(stored: StoredUser): User {
  const { id, email, name, role, schools, disabled, activatedAt, createdAt } = stored
  return { id, email, name, role, schools, disabled, pending: activatedAt === null, createdAt: createdAt.toISOString() }
}

import 'server-only'
import type { InvitationAnswer, NewUser, NewUserAnswer, User, UserChange } from '@/lib/contract/user'
import { command, type CommandParts } from '@/server/access/command'
import { mayUsePassword } from '@/server/access/password-sign-in'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Env } from '@/server/env'
import { ConflictError, NotFoundError } from '@/server/errors'
import { type InvitationPurpose, type Invitations, inviteUrl } from './invitations'
import type { StoredUser, Users } from './users'

/** Everybody who may sign in, as administrators see them. */
export async function listUsers({ users }: { users: Pick<Users, 'list'> }, _viewer: Allowed<'admin'>): Promise<User[]> {
  return (await users.list()).map(toUser)
}

type Inviting = CommandParts & {
  users: Users
  invitations: Pick<Invitations, 'issue'>
  env: Pick<Env, 'auth' | 'oidc' | 'passwordSignIn'>
}

/** The person sets a password at `inviteUrl`, which nobody else ever knows. `ConflictError` when the e-mail is taken. */
export async function createUser(parts: Inviting, viewer: Allowed<'admin'>, person: NewUser): Promise<NewUserAnswer> {
  return command(parts, viewer, 'admin', async (tx, log) => {
    const user = await parts.users.create(tx, { ...person, passwordHash: null })
    await log({ action: 'user-created', details: { user: user.id, role: person.role } })
    if (!mayUsePassword(parts.env, user)) return { id: user.id, inviteUrl: `${parts.env.auth.url}/signin` }
    const token = await parts.invitations.issue(tx, user.id, 'invitation')
    return { id: user.id, inviteUrl: inviteUrl(parts.env, token, 'invitation') }
  })
}

/**
 * Another link to set a password: for somebody who never came, or who has forgotten theirs. The one before is no longer
 * valid. `ConflictError` for whoever is disabled, signs in with the organisation's account, or is known to everybody.
 */
export async function issueLink(parts: Inviting, viewer: Viewer, id: string): Promise<InvitationAnswer> {
  return command(parts, viewer, 'admin', async (tx, log) => {
    const user = await parts.users.find(id, tx)
    if (!user) throw new NotFoundError()
    refuseLink(parts.env, user)
    const purpose = purposeFor(user)
    const token = await parts.invitations.issue(tx, id, purpose)
    await log({ action: purpose === 'reset' ? 'reset-link-issued' : 'invitation-issued', details: { user: id } })
    return { inviteUrl: inviteUrl(parts.env, token, purpose) }
  })
}

export function purposeFor({ activatedAt }: Pick<StoredUser, 'activatedAt'>): InvitationPurpose {
  return activatedAt === null ? 'invitation' : 'reset'
}

function refuseLink(env: Inviting['env'], user: StoredUser): void {
  if (user.disabled) throw new ConflictError('This person is disabled')
  if (user.demo) throw new ConflictError('The accounts of the demo keep their password')
  const isProviders = env.oidc !== null && user.activatedAt !== null && user.passwordHash === null
  if (isProviders || !mayUsePassword(env, user)) {
    throw new ConflictError('This person signs in with the account of your organisation')
  }
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
  const { id, email, name, role, schools, disabled, breakGlass, activatedAt, createdAt } = stored
  const pending = activatedAt === null
  return { id, email, name, role, schools, disabled, pending, breakGlass, createdAt: createdAt.toISOString() }
}

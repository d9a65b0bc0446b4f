import 'server-only'
import type { NewUser, NewUserAnswer, User, UserChange } from '@/lib/contract/user'
import { command, type CommandParts } from '@/server/access/command'
import type { Identities } from '@/server/access/identities'
import { mayUsePassword } from '@/server/access/password-sign-in'
import type { Sessions } from '@/server/access/sessions'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Env } from '@/server/env'
import { ConflictError, NotFoundError } from '@/server/errors'
import { type InvitationPurpose, type Invitations, inviteUrl } from './invitations'
import type { StoredUser, Users } from './users'

/** Everybody who may sign in, as administrators see them. */
export async function listUsers(
  { users, identities, env }: SignOnParts & { users: Pick<Users, 'list'> },
  _viewer: Allowed<'admin'>,
): Promise<{ users: User[] }> {
  const [all, bound] = await Promise.all([users.list(), identities.boundUsers()])
  return { users: all.map((user) => toUser(user, env, bound)) }
}

/** Whom the provider of single sign-on knows, and what it gives them. */
type SignOnParts = { identities: Pick<Identities, 'boundUsers'>; env: Pick<Env, 'oidc'> }

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
export async function issueLink(
  parts: Inviting,
  viewer: Viewer,
  { id }: { id: string },
): Promise<{ inviteUrl: string }> {
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
 * be left, and for what the provider of single sign-on gives: it would be other again at the next sign-in.
 */
export async function changeUser(
  parts: Announcing & SignOnParts & { users: Pick<Users, 'change' | 'find'> },
  viewer: Viewer,
  { id, role, schools, disabled }: UserChange & { id: string },
): Promise<User> {
  const change = {
    ...(role === undefined ? {} : { role }),
    ...(schools === undefined ? {} : { schools }),
    ...(disabled === undefined ? {} : { disabled }),
  }
  const changed = await command(parts, viewer, 'admin', async (tx, log) => {
    const before = await parts.users.find(id, tx)
    if (!before) throw new NotFoundError()
    const theirs = givenByProvider(before, parts.env)
    if ((theirs.role && role !== undefined) || (theirs.schools && schools !== undefined))
      throw new ConflictError('Role and schools of this person come from single sign-on')
    const user = await parts.users.change(tx, id, change)
    if (!user) throw new NotFoundError()
    if (Object.keys(change).length === 0) log.nothing()
    else await log({ action: 'user-changed', details: { user: id, ...change } })
    return user
  })
  await parts.announcer.person(id)
  return toUser(changed, parts.env, await parts.identities.boundUsers())
}

type Announcing = CommandParts & { announcer: { person: (userId: string) => Promise<void> } }

/** Forgets whom the provider means, so that the next sign-in binds by e-mail anew. `NotFoundError` for somebody who is not bound. */
export async function unbindUser(
  parts: Announcing & { identities: Pick<Identities, 'unbind'>; sessions: Pick<Sessions, 'endAll'> },
  viewer: Allowed<'admin'>,
  { id }: { id: string },
): Promise<{ removed: number }> {
  const removed = await command(parts, viewer, 'admin', async (tx, log) => {
    const count = await parts.identities.unbind(tx, id)
    if (count === 0) throw new NotFoundError()
    await parts.sessions.endAll(tx, id, 'admin')
    await log({ action: 'identities-removed', details: { user: id, count } })
    return count
  })
  await parts.announcer.person(id)
  return { removed }
}

/** What is not an administrator's to change while the maps that give it are set. */
function givenByProvider({ managed }: StoredUser, { oidc }: Pick<Env, 'oidc'>): { role: boolean; schools: boolean } {
  return { role: managed && Boolean(oidc?.roleMap), schools: managed && Boolean(oidc?.schoolMap) }
}

/** Nothing of the password. */
function toUser(stored: StoredUser, env: Pick<Env, 'oidc'>, boundUsers: ReadonlySet<string>): User {
  const { id, email, name, role, schools, disabled, breakGlass, activatedAt, createdAt } = stored
  const given = givenByProvider(stored, env)
  const bound = boundUsers.has(id)
  return {
    id,
    email,
    name,
    role,
    schools,
    disabled,
    pending: activatedAt === null,
    breakGlass,
    createdAt: createdAt.toISOString(),
    ...((bound || given.role || given.schools) && { singleSignOn: { bound, ...given } }),
  }
}

import 'server-only'
import type { MailedLink, NewUser, User, UserChange } from '@/lib/contract/user'
import { accessCommand, command } from './command'
import { mayUsePassword } from './sign-in-rules'
import type { Admin, Viewer } from './viewer'
import type { Db } from '@/server/base/database'
import type { Env } from '@/server/base/env'
import { ConflictError, NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { type InvitationPurpose, inviteUrl } from './invitations'
import { type Link, mailTheLink } from './link-mail'
import type { AccessChange, StoredUser } from './users'

export async function listUsers({ users, identities, env }: Services, _viewer: Admin): Promise<{ users: User[] }> {
  const [all, bound] = await Promise.all([users.list(), identities.boundUsers()])
  return { users: all.map((user) => toUser(user, env, bound)) }
}

/** `ConflictError` if the e-mail is taken. */
export async function createUser(
  services: Services,
  viewer: Admin,
  { mail: language, ...person }: NewUser & MailedLink,
) {
  const { user, link } = await command(services, viewer, 'admin', async (tx, log) => {
    const made = await services.users.create(tx, { ...person, passwordHash: null })
    await log({ action: 'user-created', details: { user: made.id, role: person.role } })
    return { user: made, link: await linkFor(services, tx, made) }
  })
  return { id: user.id, inviteUrl: link.url, ...(await mailTheLink(services, viewer, { user, link, language })) }
}

async function linkFor(services: Services, tx: Db, user: StoredUser): Promise<Link> {
  if (!mayUsePassword(services.env, user)) return { url: `${services.env.auth.url}/signin`, kind: 'sign-in' }
  const kind = purposeFor(user)
  return { url: inviteUrl(services.env, await services.invitations.issue(tx, user.id, kind), kind), kind }
}

/** For a user who never signed in or forgot the password; replaces the previous link. */
export async function issueLink(
  services: Services,
  viewer: Viewer,
  { id, mail: language }: { id: string } & MailedLink,
) {
  const { user, link } = await command(services, viewer, 'admin', async (tx, log) => {
    const found = await services.users.find(id, tx)
    if (!found) throw new NotFoundError()
    refuseLink(services.env, found)
    const action = purposeFor(found) === 'reset' ? 'reset-link-issued' : 'invitation-issued'
    await log({ action, details: { user: id } })
    return { user: found, link: await linkFor(services, tx, found) }
  })
  return { inviteUrl: link.url, ...(await mailTheLink(services, viewer, { user, link, language })) }
}

export function purposeFor({ activatedAt }: Pick<StoredUser, 'activatedAt'>): InvitationPurpose {
  return activatedAt === null ? 'invitation' : 'reset'
}

function refuseLink(env: Env, user: StoredUser): void {
  if (user.disabled) throw new ConflictError('This person is disabled')
  if (user.demo) throw new ConflictError('The accounts of the demo keep their password')
  const isProviders = env.oidc !== null && user.activatedAt !== null && user.passwordHash === null
  if (isProviders || !mayUsePassword(env, user)) {
    throw new ConflictError('This person signs in with the account of your organisation')
  }
}

/** Refused for what single sign-on manages: the next sign-in would overwrite it. */
export async function changeUser(
  services: Services,
  viewer: Viewer,
  { id, role, schools, disabled }: UserChange & { id: string },
): Promise<User> {
  const requested = Object.entries({ role, schools, disabled }).filter(([, value]) => value !== undefined)
  const change: AccessChange = Object.fromEntries(requested)
  const changed = await accessCommand(services, viewer, 'admin', id, async (tx, log) => {
    const before = await services.users.find(id, tx)
    if (!before) throw new NotFoundError()
    const fromProvider = givenByProvider(before, services.env)
    if ((fromProvider.role && change.role !== undefined) || (fromProvider.schools && change.schools !== undefined))
      throw new ConflictError('Role and schools of this person come from single sign-on')
    const user = await services.users.change(tx, id, change)
    if (!user) throw new NotFoundError()
    if (Object.keys(change).length === 0) log.nothing()
    else await log({ action: 'user-changed', details: { user: id, ...change } })
    return user
  })
  return toUser(changed, services.env, await services.identities.boundUsers())
}

export async function unbindUser(
  services: Services,
  viewer: Admin,
  { id }: { id: string },
): Promise<{ removed: number }> {
  return accessCommand(services, viewer, 'admin', id, async (tx, log) => {
    const removed = await services.identities.unbind(tx, id)
    if (removed === 0) throw new NotFoundError()
    await services.sessions.endAll(tx, id, 'admin')
    await log({ action: 'identities-removed', details: { user: id, count: removed } })
    return { removed }
  })
}

export function endSessionsOf(services: Services, viewer: Admin, { id }: { id: string }) {
  return accessCommand(services, viewer, 'admin', id, async (tx, log) => {
    if (!(await services.users.find(id, tx))) throw new NotFoundError()
    const ended = await services.sessions.endAll(tx, id, 'admin')
    await log({ action: 'sessions-ended', details: { user: id, count: ended } })
    return { ended }
  })
}

/** Managed by the maps of single sign-on, while those are set. */
function givenByProvider({ managed }: StoredUser, { oidc }: Env): { role: boolean; schools: boolean } {
  return { role: managed && Boolean(oidc?.roleMap), schools: managed && Boolean(oidc?.schoolMap) }
}

function toUser(stored: StoredUser, env: Env, boundUsers: ReadonlySet<string>): User {
  const { id, email, name, role, schools, disabled, breakGlass, activatedAt, createdAt } = stored
  const fromProvider = givenByProvider(stored, env)
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
    ...((bound || fromProvider.role || fromProvider.schools) && { singleSignOn: { bound, ...fromProvider } }),
  }
}

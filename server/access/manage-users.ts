import 'server-only'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { LinkMailOptions, NewUser, User, UserChange } from '@/lib/contract/user'
import { executeAccessCommand, executeCommand } from './command'
import { mayUsePassword } from './sign-in-rules'
import type { Admin, Viewer } from './viewer'
import type { Env } from '@/server/base/env'
import { ConflictError, NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { sendLinkMail, createPasswordLink } from './invitations'
import { users as table } from '@/server/base/schema'
import type { AccessChange, StoredUser } from './users'

export async function listUsers({ users, env }: Services, _viewer: Admin): Promise<{ users: User[] }> {
  return { users: (await users.list()).map((user) => toUser(user, env)) }
}

/** `ConflictError` if the e-mail is taken. */
export async function createUser(services: Services, viewer: Admin, { mail, ...person }: NewUser & LinkMailOptions) {
  const { env, users } = services
  const { user, link } = await executeCommand(services, viewer, 'admin', async (tx, log) => {
    const made = await users.create(tx, { ...person, passwordHash: null })
    await log({ action: 'user-created', details: { user: made.id, role: person.role } })
    if (mayUsePassword(env, made)) return { user: made, link: await createPasswordLink(services, tx, made) }
    return { user: made, link: { url: `${env.auth.url}/signin`, kind: 'sign-in' } as const }
  })
  return { id: user.id, inviteUrl: link.url, ...(await sendLinkMail(services, viewer, { user, link, language: mail })) }
}

/** For a user who never signed in or forgot the password; replaces the previous link. */
export async function issueLink(services: Services, viewer: Viewer, { id, mail }: { id: string } & LinkMailOptions) {
  const { env, users } = services
  const { user, link } = await executeCommand(services, viewer, 'admin', async (tx, log) => {
    const found = await users.find(id, tx)
    if (!found) throw new NotFoundError()
    if (found.disabled) throw new ConflictError('This person is disabled')
    if (found.demo) throw new ConflictError('The accounts of the demo keep their password')
    const isProviders = env.oidc !== null && found.activatedAt !== null && found.passwordHash === null
    if (isProviders || !mayUsePassword(env, found))
      throw new ConflictError('This person signs in with the account of your organisation')
    const opened = await createPasswordLink(services, tx, found)
    await log({ action: opened.kind === 'reset' ? 'reset-link-issued' : 'invitation-issued', details: { user: id } })
    return { user: found, link: opened }
  })
  return { inviteUrl: link.url, ...(await sendLinkMail(services, viewer, { user, link, language: mail })) }
}

/** Refused for what single sign-on manages: the next sign-in would overwrite it. */
export async function changeUser(
  services: Services,
  viewer: Viewer,
  { id, role, schools, disabled }: UserChange & { id: string },
): Promise<User> {
  const requested = Object.entries({ role, schools, disabled }).filter(([, value]) => value !== undefined)
  const change: AccessChange = Object.fromEntries(requested)
  const changed = await executeAccessCommand(services, viewer, 'admin', id, async (tx, log) => {
    const before = await services.users.find(id, tx)
    if (!before) throw new NotFoundError()
    const fromProvider = findManagedFields(before, services.env)
    if ((fromProvider.role && change.role !== undefined) || (fromProvider.schools && change.schools !== undefined))
      throw new ConflictError('Role and schools of this person come from single sign-on')
    const user = await services.users.change(tx, id, change)
    if (!user) throw new NotFoundError()
    if (Object.keys(change).length === 0) log.skip()
    else await log({ action: 'user-changed', details: { user: id, ...change } })
    return user
  })
  return toUser(changed, services.env)
}

export function unlinkIdentity(services: Services, viewer: Admin, { id }: { id: string }): Promise<{ removed: number }> {
  return executeAccessCommand(services, viewer, 'admin', id, async (tx, log) => {
    const isLinked = and(eq(table.id, id), isNotNull(table.issuer))
    const unlinked = tx.update(table).set({ issuer: null, subject: null, oid: null }).where(isLinked)
    const removed = (await unlinked.returning({ id: table.id })).length
    if (removed === 0) throw new NotFoundError()
    await services.sessions.endAll(tx, id, 'admin')
    await log({ action: 'identities-removed', details: { user: id, count: removed } })
    return { removed }
  })
}

export function signOutUser(services: Services, viewer: Admin, { id }: { id: string }) {
  return executeAccessCommand(services, viewer, 'admin', id, async (tx, log) => {
    if (!(await services.users.find(id, tx))) throw new NotFoundError()
    const ended = await services.sessions.endAll(tx, id, 'admin')
    await log({ action: 'sessions-ended', details: { user: id, count: ended } })
    return { ended }
  })
}

/** Managed by the maps of single sign-on, while those are set. */
function findManagedFields({ managed }: StoredUser, { oidc }: Env): { role: boolean; schools: boolean } {
  return { role: managed && Boolean(oidc?.roleMap), schools: managed && Boolean(oidc?.schoolMap) }
}

function toUser(stored: StoredUser, env: Env): User {
  const { id, email, name, role, schools, disabled, breakGlass, activatedAt, createdAt } = stored
  const fromProvider = findManagedFields(stored, env)
  const bound = stored.issuer !== null
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

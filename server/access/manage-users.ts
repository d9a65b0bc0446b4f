import { eq } from 'drizzle-orm'
import type { LinkMailOptions, NewUser, User, UserChange } from '@/lib/contract/user'
import type { Env } from '@/server/base/env'
import { ConflictError } from '@/server/base/errors'
import { users as usersTable } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { executeAccessCommand, executeCommand } from './command'
import { createPasswordLink } from './invitations'
import { sendLinkMail } from './link-mail'
import { mayUsePassword } from './password-access'
import type { StoredUser } from './users'
import type { Admin } from './viewer'

export async function listUsers({ users, env }: Services, _viewer: Admin) {
  return { users: (await users.list()).map((user) => toUser(user, env)) }
}

export async function createUser(services: Services, viewer: Admin, input: NewUser & LinkMailOptions) {
  const { mail: language, ...newUser } = input
  const { env, users } = services
  const { user, link } = await executeCommand(services, viewer, 'admin', async (tx, log) => {
    const account = await users.create(tx, { ...newUser, passwordHash: null })
    await log({ action: 'user-created', details: { user: account.id, role: account.role } })
    const signInLink = { url: `${env.auth.url}/signin`, kind: 'sign-in' } as const
    if (!mayUsePassword(env, account)) return { user: account, link: signInLink }
    return { user: account, link: await createPasswordLink(services, tx, account) }
  })
  return { id: user.id, inviteUrl: link.url, ...(await sendLinkMail(services, viewer, { user, link, language })) }
}

type UserRef = { id: string }

export async function issueLink(services: Services, viewer: Admin, { id, mail: language }: UserRef & LinkMailOptions) {
  const { env, users } = services
  const { user, link } = await executeCommand(services, viewer, 'admin', async (tx, log) => {
    const account = await users.get(tx, id)
    if (account.disabled) throw new ConflictError('This person is disabled')
    if (account.demo) throw new ConflictError('The accounts of the demo keep their password')
    const isProviderOnly = env.oidc !== null && account.activatedAt !== null && account.passwordHash === null
    if (isProviderOnly || !mayUsePassword(env, account))
      throw new ConflictError('This person signs in with the account of your organisation')
    const newLink = await createPasswordLink(services, tx, account)
    await log({ action: newLink.kind === 'reset' ? 'reset-link-issued' : 'invitation-issued', details: { user: id } })
    return { user: account, link: newLink }
  })
  return { inviteUrl: link.url, ...(await sendLinkMail(services, viewer, { user, link, language })) }
}

/** Throws `ConflictError` if single sign-on manages the role or schools: the next sign-in would overwrite them. */
export async function changeUser(services: Services, viewer: Admin, { id, bound, ...change }: UserChange & UserRef) {
  const { users, sessions, env } = services
  const changedUser = await executeAccessCommand(services, viewer, 'admin', id, async (tx, log) => {
    const user = await users.get(tx, id)
    const managed = findManagedFields(user, env)
    if ((managed.role && change.role !== undefined) || (managed.schools && change.schools !== undefined))
      throw new ConflictError('Role and schools of this person come from single sign-on')
    const isUnlinking = bound === false && user.issuer !== null
    if (isUnlinking) {
      await tx.update(usersTable).set({ issuer: null, subject: null, oid: null }).where(eq(usersTable.id, id))
      await sessions.endAll(tx, id, 'admin')
      await log({ action: 'identities-removed', details: { user: id, count: 1 } })
    }
    if (Object.keys(change).length > 0) await log({ action: 'user-changed', details: { user: id, ...change } })
    else if (!isUnlinking) log.skip()
    return users.change(tx, id, change)
  })
  return toUser(changedUser, env)
}

export function signOutUser(services: Services, viewer: Admin, { id }: UserRef) {
  return executeAccessCommand(services, viewer, 'admin', id, async (tx, log) => {
    await services.users.get(tx, id)
    const ended = await services.sessions.endAll(tx, id, 'admin')
    await log({ action: 'sessions-ended', details: { user: id, count: ended } })
    return { ended }
  })
}

/** Single sign-on manages each field that has a map, once the user has signed in with it. */
function findManagedFields({ managed }: StoredUser, { oidc }: Env) {
  return { role: managed && oidc?.roleMap != null, schools: managed && oidc?.schoolMap != null }
}

function toUser(user: StoredUser, env: Env): User {
  const { id, email, name, role, schools, disabled, breakGlass, activatedAt } = user
  const createdAt = user.createdAt.toISOString()
  const account = { id, email, name, role, schools, disabled, breakGlass, pending: activatedAt === null, createdAt }
  const managed = findManagedFields(user, env)
  const bound = user.issuer !== null
  return bound || managed.role || managed.schools ? { ...account, singleSignOn: { bound, ...managed } } : account
}

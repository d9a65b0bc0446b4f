import 'server-only'
import { and, asc, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { directoryMembers, directoryPeople } from '@/server/db/access-schema'
import type { Db } from '@/server/db/database'
import { users as usersTable } from '@/server/db/schema'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/errors'
import { directoryChange, type DirectoryParts, isReachable, metaOf } from './directory'
import { fieldsOf, operationsOf, type PersonFields, personFields, SCHEMA, type Wanted } from './scim-input'

type Row = { user: typeof usersTable.$inferSelect; person: typeof directoryPeople.$inferSelect }

const { externalId, deleted } = directoryPeople
/** Accounts that others made do not exist here. */
const isThere = eq(deleted, false)

function people(db: Db, which?: SQL) {
  const rows = db.select({ user: usersTable, person: directoryPeople }).from(directoryPeople)
  return rows.innerJoin(usersTable, isReachable).where(and(isThere, which))
}

async function personOf(db: Db, id: string): Promise<Row> {
  const [row] = await people(db, eq(usersTable.id, id))
  if (!row) throw new NotFoundError()
  return row
}

function resourceOf({ user, person }: Row, parts: Pick<DirectoryParts, 'env'>) {
  const { id, email, name, createdAt } = user
  return {
    schemas: [`${SCHEMA}User`],
    id,
    externalId: person.externalId ?? undefined,
    userName: email,
    displayName: name,
    name: { formatted: name, givenName: person.givenName ?? undefined, familyName: person.familyName ?? undefined },
    emails: [{ value: email, type: 'work', primary: true }],
    active: person.active,
    meta: metaOf(parts, 'User', id, [createdAt, person.changedAt]),
  }
}

const { id: userId, email: userEmail, createdAt: madeAt } = usersTable
export const COLUMNS: Readonly<Record<string, PgColumn>> = { username: userEmail, externalid: externalId, id: userId }

export async function list(parts: DirectoryParts, { filter, offset, limit }: Wanted) {
  const db = await parts.connect()
  const column = filter && COLUMNS[filter.attribute]
  const value = column === userEmail ? filter?.value.toLowerCase() : filter?.value
  const which = column ? eq(column, value) : undefined
  const rows = await people(db, which).orderBy(asc(madeAt), asc(userId)).limit(limit).offset(offset)
  return { total: await db.$count(people(db, which).as('found')), resources: rows.map((row) => resourceOf(row, parts)) }
}

export async function get(parts: DirectoryParts, id: string) {
  return resourceOf(await personOf(await parts.connect(), id), parts)
}

/**
 * A deleted account is made again as it was, and one that single sign-on's maps decide about becomes the directory's.
 * `ConflictError` for an address that another one has.
 */
export async function create(parts: DirectoryParts, body: object) {
  const fields = personFields(fieldsOf(body))
  const { username } = fields
  if (username === undefined) throw new InvalidInputError('userName', 'invalidValue')
  return directoryChange(parts, async ({ tx, log, settle }) => {
    const account = { email: username, name: username, role: 'staff', passwordHash: null } as const
    const before = await accountToTakeOver(tx, username)
    const id = before ?? (await parts.users.create(tx, { ...account, schools: [] })).id
    const state = { active: true, deleted: false, changedAt: new Date(parts.now()) }
    await tx
      .insert(directoryPeople)
      .values({ userId: id, ...state })
      .onConflictDoUpdate({ target: directoryPeople.userId, set: state })
    await log(before === null ? 'user-created' : 'user-changed', { user: id })
    await write(parts, tx, await personOf(tx, id), fields)
    await settle([id])
    return resourceOf(await personOf(tx, id), parts)
  })
}

async function accountToTakeOver(tx: Db, email: string): Promise<string | null> {
  const isSignOns = and(isNull(directoryPeople.userId), eq(usersTable.managed, true), eq(usersTable.disabled, false))
  const [row] = await tx
    .select({ id: usersTable.id })
    .from(usersTable)
    .leftJoin(directoryPeople, eq(directoryPeople.userId, usersTable.id))
    .where(and(eq(userEmail, email.toLowerCase()), eq(usersTable.breakGlass, false), or(eq(deleted, true), isSignOns)))
  return row?.id ?? null
}

export function replace(parts: DirectoryParts, id: string, body: object) {
  return change(parts, id, fieldsOf(body))
}

/** Later operations override. */
export function patch(parts: DirectoryParts, id: string, body: object) {
  return change(parts, id, Object.assign({}, ...operationsOf(body).map(({ fields }) => fields)))
}

async function change(parts: DirectoryParts, id: string, given: Record<string, unknown>) {
  const fields = personFields(given)
  return directoryChange(parts, async ({ tx, log, settle }) => {
    if (await write(parts, tx, await personOf(tx, id), fields)) await log('user-changed', { user: id })
    await settle([id])
    return resourceOf(await personOf(tx, id), parts)
  })
}

/** Whether e-mail or name are others now. What is not named stays: a PUT that leaves `active` out brings nobody back. */
async function write(parts: DirectoryParts, tx: Db, { user, person }: Row, fields: PersonFields): Promise<boolean> {
  const email = fields.username?.toLowerCase() ?? user.email
  const owner = email === user.email ? null : await parts.users.findByEmail(email, tx)
  if (owner) throw new ConflictError('A user with this email address exists already')
  const { active = person.active, displayname, 'name.formatted': formatted } = fields
  const set = {
    externalId: given(fields.externalid, person.externalId),
    givenName: given(fields['name.givenname'], person.givenName),
    familyName: given(fields['name.familyname'], person.familyName),
    active: active === true || active === 'true',
    changedAt: new Date(parts.now()),
  }
  // A name that was made of its parts follows them.
  const isOfParts = user.name === user.email || user.name === wholeName(person)
  const name = (displayname || formatted || (isOfParts && wholeName(set)) || user.name).slice(0, 100)
  await tx.update(directoryPeople).set(set).where(eq(directoryPeople.userId, user.id))
  if (email === user.email && name === user.name) return false
  await tx.update(usersTable).set({ email, name }).where(eq(usersTable.id, user.id))
  return true
}

const given = (value: string | null | undefined, before: string | null) => (value === undefined ? before : value)

function wholeName({ givenName, familyName }: Pick<Row['person'], 'givenName' | 'familyName'>): string {
  return [givenName, familyName].filter(Boolean).join(' ')
}

/** Disables: what they did stays in the log. */
export async function remove(parts: DirectoryParts, id: string): Promise<void> {
  await directoryChange(parts, async ({ tx, settle }) => {
    await personOf(tx, id)
    await tx.delete(directoryMembers).where(eq(directoryMembers.userId, id))
    const set = { deleted: true, active: false, changedAt: new Date(parts.now()) }
    await tx.update(directoryPeople).set(set).where(eq(directoryPeople.userId, id))
    await settle([id])
  })
}

import 'server-only'
import { and, asc, eq, inArray, ne, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { randomUUID } from 'node:crypto'
import { groupBy } from '@/lib/group-by'
import { directoryGroups, directoryMembers, directoryPeople } from '@/server/db/access-schema'
import type { Db } from '@/server/db/database'
import { users as usersTable } from '@/server/db/schema'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/errors'
import { HttpError } from '@/server/http/responses'
import { directoryChange, type DirectoryParts, type DirectoryWork, isReachable, metaOf } from './directory'
import { fieldsOf, groupFields, memberIds, operationsOf, SCHEMA, type Wanted } from './scim-input'

type Group = typeof directoryGroups.$inferSelect

async function groupOf(db: Db, id: string): Promise<Group> {
  const [group] = await db.select().from(directoryGroups).where(eq(directoryGroups.id, id))
  if (!group) throw new NotFoundError()
  return group
}

async function membersOf(db: Db, groups: readonly Pick<Group, 'id'>[]): Promise<Map<string, string[]>> {
  const ids = groups.map(({ id }) => id)
  const which = inArray(directoryMembers.groupId, ids)
  const rows = ids.length === 0 ? [] : await db.select().from(directoryMembers).where(which)
  const byGroup = groupBy(rows, (row) => row.groupId)
  return new Map(ids.map((id) => [id, (byGroup.get(id) ?? []).map(({ userId }) => userId)]))
}

function resourceOf(group: Group, members: readonly string[] | undefined, parts: Pick<DirectoryParts, 'env'>) {
  const { id, displayName, externalId, createdAt, changedAt } = group
  return {
    schemas: [`${SCHEMA}Group`],
    id,
    externalId: externalId ?? undefined,
    displayName,
    members: members?.map((value) => ({ value })),
    meta: metaOf(parts, 'Group', id, [createdAt, changedAt]),
  }
}

const { id: groupId, displayName: groupName, externalId: outerId, createdAt } = directoryGroups
export const COLUMNS: Readonly<Record<string, PgColumn>> = { displayname: groupName, externalid: outerId, id: groupId }

export async function list(parts: DirectoryParts, { filter, offset, limit, withMembers }: Wanted) {
  const db = await parts.connect()
  const column = filter && COLUMNS[filter.attribute]
  const which = column ? eq(column, filter.value) : undefined
  const ordered = db.select().from(directoryGroups).where(which).orderBy(asc(createdAt), asc(groupId))
  const found = await ordered.limit(limit).offset(offset)
  const members = withMembers ? await membersOf(db, found) : null
  const resources = found.map((group) => resourceOf(group, members?.get(group.id), parts))
  return { total: await db.$count(directoryGroups, which), resources }
}

export async function get(parts: DirectoryParts, id: string, { withMembers }: Pick<Wanted, 'withMembers'>) {
  const db = await parts.connect()
  return resourceOf(await groupOf(db, id), withMembers ? (await membersOf(db, [{ id }])).get(id) : undefined, parts)
}

export async function create(parts: DirectoryParts, body: object) {
  const { displayname: displayName, externalid: externalId = null, members = [] } = groupFields(fieldsOf(body))
  if (displayName === undefined) throw new InvalidInputError('displayName', 'invalidValue')
  return directoryChange(parts, async (within) => {
    const at = new Date(parts.now())
    const row = { id: randomUUID(), displayName, externalId, createdAt: at, changedAt: at }
    await refuseSecond(within.tx, eq(directoryGroups.displayName, displayName))
    await within.tx.insert(directoryGroups).values(row)
    await setMembers(within, row, new Set(members), true)
    return resourceOf(row, members, parts)
  })
}

async function refuseSecond(tx: Db, which: SQL | undefined): Promise<void> {
  if ((await tx.$count(directoryGroups, which)) > 0) throw new ConflictError('A group of this name exists already')
}

export async function replace(parts: DirectoryParts, id: string, body: object) {
  const fields = fieldsOf(body)
  return change(parts, id, [{ op: 'replace', fields: { ...fields, members: fields.members ?? [] } }])
}

export function patch(parts: DirectoryParts, id: string, body: object) {
  return change(parts, id, operationsOf(body))
}

async function change(parts: DirectoryParts, id: string, operations: ReturnType<typeof operationsOf>) {
  return directoryChange(parts, async (within) => {
    const { tx } = within
    const before = await groupOf(tx, id)
    const members = new Set((await membersOf(tx, [{ id }])).get(id))
    const group = { ...before, changedAt: new Date(parts.now()) }
    for (const { op, fields } of operations) {
      if (fields.members !== undefined) applyTo(members, op, fields.members)
      const { displayname, externalid } = groupFields({ ...fields, members: undefined })
      group.displayName = displayname ?? group.displayName
      if (externalid !== undefined) group.externalId = externalid
    }
    if (group.displayName !== before.displayName)
      await refuseSecond(tx, and(eq(directoryGroups.displayName, group.displayName), ne(directoryGroups.id, id)))
    await tx.update(directoryGroups).set(group).where(eq(directoryGroups.id, id))
    const isOther = group.displayName !== before.displayName || group.externalId !== before.externalId
    await setMembers(within, group, members, isOther)
    return resourceOf(group, [...members], parts)
  })
}

/** A removal that names no member takes all (RFC 7644, 3.5.2.2). */
function applyTo(members: Set<string>, op: 'add' | 'replace' | 'remove', value: unknown): void {
  const ids = memberIds(value)
  if (op === 'replace' || (op === 'remove' && value === null)) members.clear()
  for (const id of ids)
    if (op === 'remove') members.delete(id)
    else members.add(id)
}

const MAX_CHANGES = 1_000

/**
 * `isOther`: by its name or id it may give all of them something else. `NotFoundError` for an account that the directory has
 * not made; 413 for more than a thousand, which would change as many people's access in one transaction.
 */
async function setMembers(within: DirectoryWork, group: Group, members: ReadonlySet<string>, isOther: boolean) {
  const { tx, log, settle } = within
  const before = new Set((await membersOf(tx, [group])).get(group.id))
  const joined = [...members].filter((id) => !before.has(id))
  const left = [...before].filter((id) => !members.has(id))
  if (joined.length + left.length > MAX_CHANGES) throw new HttpError(413, `More than ${MAX_CHANGES} members at once`)
  if (joined.length > 0) {
    const which = and(inArray(directoryPeople.userId, joined), eq(directoryPeople.deleted, false))
    const known = await tx.select().from(directoryPeople).innerJoin(usersTable, isReachable).where(which)
    if (known.length < joined.length) throw new NotFoundError()
    await tx.insert(directoryMembers).values(joined.map((userId) => ({ groupId: group.id, userId })))
  }
  const isLeaving = and(eq(directoryMembers.groupId, group.id), inArray(directoryMembers.userId, left))
  if (left.length > 0) await tx.delete(directoryMembers).where(isLeaving)
  if (isOther || joined.length + left.length > 0)
    await log('group-changed', {
      group: group.displayName,
      ...(joined.length > 0 && { joined }),
      ...(left.length > 0 && { left }),
    })
  await settle(isOther ? [...members, ...left] : [...joined, ...left])
}

export async function remove(parts: DirectoryParts, id: string): Promise<void> {
  await directoryChange(parts, async (within) => {
    const group = await groupOf(within.tx, id)
    await setMembers(within, group, new Set(), true)
    await within.tx.delete(directoryGroups).where(eq(directoryGroups.id, id))
  })
}

import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { groupBy } from '@/lib/group-by'
import { and, eq, exists, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { accessFrom } from '@/server/access/oidc-claims'
import type { UserAnnouncer } from '@/server/access/command'
import type { Activity } from '@/server/activity/activity'
import { accessTokens, directoryGroups, directoryMembers, directoryPeople } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { type ActivityDetails, users as usersTable } from '@/server/db/schema'
import type { Env } from '@/server/env'
import type { AccessChange, StoredUser, Users } from '@/server/users/users'

export type DirectoryParts = {
  connect: Connect
  now: () => number
  env: Pick<Env, 'auth' | 'oidc'>
  users: Pick<Users, 'create' | 'change' | 'findByEmail'>
  activity: Pick<Activity, 'recordIn'>
  announcer: UserAnnouncer
}

export type DirectoryWork = {
  tx: Db
  log: (action: 'user-created' | 'user-changed' | 'group-changed', details: ActivityDetails) => Promise<void>
  /** Sets the access of these people by their state and groups, and announces what has changed. */
  settle: (ids: readonly string[]) => Promise<void>
}

/** One change of the directory's at a time: concurrent ones would each see only their own group. */
export async function directoryChange<T>(
  parts: DirectoryParts,
  work: (within: DirectoryWork) => Promise<T>,
): Promise<T> {
  const changed = new Set<string>()
  const database = await parts.connect()
  const done = await database.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.directory'))`)
    const log: DirectoryWork['log'] = (action, details) =>
      parts.activity.recordIn(tx, { userId: null, action, details: { ...details, with: 'directory' } })
    const settle = async (ids: readonly string[]) => {
      for (const person of await peopleIn(tx, ids)) {
        if (await settlePerson(parts, { tx, log }, person)) changed.add(person.user.id)
        // PGlite answers without a turn: a thousand would keep everybody else waiting.
        await setImmediate()
      }
    }
    return work({ tx, log, settle })
  })
  await Promise.all([...changed].map((id) => parts.announcer.userChanged(id)))
  return done
}

/** An emergency account is out of the directory's reach, even if it made it. */
export const isReachable = and(eq(directoryPeople.userId, usersTable.id), eq(usersTable.breakGlass, false))

/** RFC 7643, 3.1. */
export function metaOf({ env }: Pick<DirectoryParts, 'env'>, kind: 'User' | 'Group', id: string, at: [Date, Date]) {
  const [created, lastModified] = at.map((each) => each.toISOString())
  return { resourceType: kind, created, lastModified, location: `${env.auth.url}/scim/v2/${kind}s/${id}` }
}

type Person = { user: StoredUser; person: typeof directoryPeople.$inferSelect; groups: string[] }

async function peopleIn(tx: Db, ids: readonly string[]): Promise<Person[]> {
  if (ids.length === 0) return []
  const chosen = tx.select({ user: usersTable, person: directoryPeople }).from(directoryPeople)
  const rows = await chosen.innerJoin(usersTable, isReachable).where(inArray(directoryPeople.userId, [...ids]))
  const memberships = await tx
    .select({ userId: directoryMembers.userId, group: directoryGroups })
    .from(directoryMembers)
    .innerJoin(directoryGroups, eq(directoryGroups.id, directoryMembers.groupId))
    .where(inArray(directoryMembers.userId, [...ids]))
  const groups = groupBy(memberships, ({ userId }) => userId)
  return rows.map((row) => ({
    ...row,
    groups: (groups.get(row.user.id) ?? []).flatMap(({ group }) => [group.displayName, group.externalId ?? []].flat()),
  }))
}

/** By the same maps as single sign-on. Who is given nothing is disabled; others stay disabled if an administrator did it. */
async function settlePerson(
  { env: { oidc }, users }: DirectoryParts,
  { tx, log }: Omit<DirectoryWork, 'settle'>,
  { user, person, groups }: Person,
): Promise<boolean> {
  const given = accessFrom({ groups }, { roleMap: oidc?.roleMap ?? null, schoolMap: oidc?.schoolMap ?? null })
  const isMapped = given.role !== null && (!oidc?.schoolMap || given.schools !== null)
  const enabled = person.active && !person.deleted && isMapped
  const allForAdmin = given.role === 'admin' && user.schools.length === 0 ? 'all' : user.schools
  const wanted = {
    ...(enabled && { role: given.role ?? user.role, schools: given.schools ?? allForAdmin }),
    ...(!enabled && { disabled: true }),
    ...(enabled && !person.enabled && { disabled: false }),
  }
  const change: AccessChange = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !isSame(value, user[name as keyof typeof wanted])),
  )
  if (enabled !== person.enabled)
    await tx.update(directoryPeople).set({ enabled }).where(eq(directoryPeople.userId, user.id))
  if (Object.keys(change).length === 0 && user.managed) return false
  // Whoever left is out, even as the last administrator: the console makes another.
  await users.change(tx, user.id, { ...change, managed: true }, { mayBeLast: true })
  if (Object.keys(change).length > 0) await log('user-changed', { user: user.id, ...change })
  return true
}

function isSame(a: unknown, b: unknown): boolean {
  const inOrder = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value)
  return inOrder(a) === inOrder(b)
}

/** For a person of the directory's, until its keys are over: single sign-on and administrators leave access to it. */
export async function directoryDecides(tx: Db, userId: string): Promise<{ enabled: boolean } | null> {
  const isValid = or(isNull(accessTokens.expiresAt), gt(accessTokens.expiresAt, sql`now()`))
  const keys = tx
    .select()
    .from(accessTokens)
    .where(and(eq(accessTokens.purpose, 'directory'), isValid))
  const [found] = await tx
    .select({ enabled: directoryPeople.enabled })
    .from(directoryPeople)
    .where(and(eq(directoryPeople.userId, userId), exists(keys)))
  return found ?? null
}

import 'server-only'
import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Permission } from '@/lib/contract/endpoint'
import type { Colleague, NewUser, SchoolScope } from '@/lib/contract/user'
import { endSessionsOfUser } from './sessions'
import { maySee, permissionsOf, type Viewer, type Decider } from './viewer'
import type { Connect, Db } from '@/server/base/database'
import { invitations, users } from '@/server/base/schema'
import { ConflictError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'

export type StoredUser = typeof users.$inferSelect
type NewStoredUser = NewUser & { passwordHash: string | null; breakGlass?: boolean }
export type AccessChange = Partial<Pick<StoredUser, 'role' | 'schools' | 'disabled' | 'managed'>>
export type Users = ReturnType<typeof createUsers>

/** Demo accounts are invisible unless `demo`, whatever the table contains. */
export function createUsers({ connect, now, demo }: { connect: Connect; now: () => number; demo: boolean }) {
  const visible = demo ? undefined : eq(users.demo, false)
  const findBy = async (is: SQL, tx?: Db): Promise<StoredUser | null> => {
    const [row] = await (tx ?? (await connect())).select().from(users).where(and(is, visible))
    return row ?? null
  }
  return {
    find: (id: string, tx?: Db) => findBy(eq(users.id, id), tx),
    findByEmail: (email: string, tx?: Db) => findBy(eq(users.email, email.toLowerCase()), tx),
    async list(): Promise<StoredUser[]> {
      return (await connect()).select().from(users).where(visible).orderBy(asc(users.name), asc(users.email))
    },
    async create(tx: Db, user: NewStoredUser): Promise<StoredUser> {
      const row = rowOf({ ...user, demo: false }, new Date(now()))
      const [made] = await tx.insert(users).values(row).onConflictDoNothing({ target: users.email }).returning()
      if (!made) throw new ConflictError('A user with this email address exists already')
      return made
    },
    /** `ConflictError` if no administrator would be left, unless single sign-on can make another (`mayBeLast`). */
    change: (tx: Db, id: string, change: AccessChange, { mayBeLast = false } = {}): Promise<StoredUser | null> =>
      changeStoredUser(tx, id, change, { visible, now: now(), mayBeLast }),
    async activate(id: string, tx?: Db): Promise<void> {
      const activatedAt = new Date(now())
      const isNew = and(eq(users.id, id), isNull(users.activatedAt))
      await (tx ?? (await connect())).update(users).set({ activatedAt }).where(isNew)
    },
    async anyReal(): Promise<boolean> {
      const db = await connect()
      return (await db.select({ id: users.id }).from(users).where(eq(users.demo, false)).limit(1)).length > 0
    },
    async restoreDemo(user: NewStoredUser): Promise<void> {
      const db = await connect()
      const set = { role: user.role, schools: user.schools, disabled: false }
      const made = db.insert(users).values(rowOf({ ...user, demo: true }, new Date(now())))
      await made.onConflictDoUpdate({ target: users.email, set, setWhere: eq(users.demo, true) })
    },
  }
}

function rowOf(user: NewStoredUser & { demo: boolean }, now: Date) {
  const activatedAt = user.passwordHash === null ? null : now
  return { ...user, id: randomUUID(), email: user.email.toLowerCase(), activatedAt, createdAt: now }
}

type Changing = { visible: SQL | undefined; now: number; mayBeLast: boolean }

/** Locks all administrators in one order, so that two who demote each other cannot both succeed. */
async function changeStoredUser(tx: Db, id: string, change: AccessChange, { visible, now, mayBeLast }: Changing) {
  const selectForUpdate = (which: SQL) =>
    tx.select().from(users).where(and(which, visible)).orderBy(users.id).for('update')
  const admins = await selectForUpdate(eq(users.role, 'admin'))
  const [user] = await selectForUpdate(eq(users.id, id))
  if (!user) return null
  const isLast =
    isActiveAdmin(user) && !isActiveAdmin({ ...user, ...change }) && admins.filter(isActiveAdmin).length < 2
  if (isLast && !mayBeLast) {
    throw new ConflictError('The last active administrator can neither be disabled nor lose the role')
  }
  if (Object.keys(change).length === 0) return user
  if (change.disabled === true && !user.disabled) {
    // They stay ended when the user is enabled again.
    await endSessionsOfUser(tx, id, 'access', now)
    await withdrawInvitations(tx, id)
  }
  const set = change.disabled === true ? { ...change, breakGlass: false } : change
  const [changed] = await tx.update(users).set(set).where(eq(users.id, id)).returning()
  return changed ?? null
}

function isActiveAdmin(user: StoredUser): boolean {
  return user.role === 'admin' && !user.disabled && user.activatedAt !== null
}

export async function withdrawInvitations(tx: Db, userId: string): Promise<void> {
  await tx.delete(invitations).where(and(eq(invitations.userId, userId), isNull(invitations.usedAt)))
}

export async function setPassword(db: Db, id: string, passwordHash: string, now: Date, keep: string | null = null) {
  const [user] = await db.select().from(users).where(eq(users.id, id)).for('update')
  if (!user) return
  const set = { passwordHash, activatedAt: user.activatedAt ?? now }
  await db.update(users).set(set).where(eq(users.id, id))
  await endSessionsOfUser(db, id, 'password', now.getTime(), keep)
  await withdrawInvitations(db, id)
}

/** Colleagues who can be assigned leads: at one of the viewer's schools, or at this school. */
export async function listPeople(
  { users: store }: Services,
  viewer: Decider,
  { school }: { school?: string | undefined } = {},
): Promise<{ people: Colleague[] }> {
  const everyone = await store.list()
  const isWanted = ({ schools }: StoredUser) =>
    school === undefined
      ? shareSchool(viewer.schools, schools)
      : maySee(viewer, school) && (schools === 'all' || schools.includes(school))
  const people = everyone.filter((person) => mayWorkOnLeads(person) && isWanted(person))
  return { people: people.map(({ id, name }) => ({ id, name })) }
}

function shareSchool(mine: Viewer['schools'], theirs: SchoolScope): boolean {
  if (mine === 'all') return theirs === 'all' || theirs.length > 0
  if (theirs === 'all') return mine.size > 0
  return theirs.some((school) => mine.has(school))
}

type Account = Pick<StoredUser, 'role' | 'disabled'>

export function isPermitted({ role, disabled }: Account, permission: Permission): boolean {
  return !disabled && permissionsOf[role].has(permission)
}

export const mayReadLeads = (user: Account) => isPermitted(user, 'leads:read')
export const mayWorkOnLeads = (user: Account) => isPermitted(user, 'leads:triage')

export async function userNames(db: Db, ids: Iterable<string | null>): Promise<ReadonlyMap<string, string>> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null)
  if (uniqueIds.length === 0) return new Map()
  const rows = await db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, uniqueIds))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

import 'server-only'
import { and, asc, eq, inArray, type SQL } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Colleague, NewUser } from '@/lib/contract/user'
import { endSessionsOfUser } from './sessions'
import { maySeeSchool, permissionsByRole, type Decider } from './viewer'
import type { Connect, Db } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { ConflictError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'

export type StoredUser = typeof users.$inferSelect
type NewStoredUser = NewUser & { passwordHash: string | null; breakGlass?: boolean }
export type AccessChange = Partial<Pick<StoredUser, 'role' | 'schools' | 'disabled' | 'managed'>>
export type Users = ReturnType<typeof createUsers>

/** Takes back the open link to set a password. */
export const NO_LINK = { linkHash: null, linkExpiresAt: null }

/** Demo accounts are invisible unless `demo`, whatever the table contains. */
export function createUsers({ connect, now, demo: isDemo }: { connect: Connect; now: () => number; isDemo: boolean }) {
  const visible = isDemo ? undefined : eq(users.demo, false)
  const findBy = async (condition: SQL, tx?: Db): Promise<StoredUser | null> => {
    const [row] = await (tx ?? (await connect())).select().from(users).where(and(condition, visible))
    return row ?? null
  }
  const makeRow = (user: NewStoredUser) => {
    const createdAt = new Date(now())
    const activatedAt = user.passwordHash === null ? null : createdAt
    return { ...user, id: randomUUID(), email: user.email.toLowerCase(), activatedAt, createdAt }
  }
  return {
    find: (id: string, tx?: Db) => findBy(eq(users.id, id), tx),
    findByEmail: (email: string, tx?: Db) => findBy(eq(users.email, email.toLowerCase()), tx),
    async list(): Promise<StoredUser[]> {
      return (await connect()).select().from(users).where(visible).orderBy(asc(users.name), asc(users.email))
    },
    async create(tx: Db, user: NewStoredUser): Promise<StoredUser> {
      const inserting = tx.insert(users).values(makeRow(user))
      const [made] = await inserting.onConflictDoNothing({ target: users.email }).returning()
      if (!made) throw new ConflictError('A user with this email address exists already')
      return made
    },
    /**
     * `ConflictError` if no administrator would be left, unless single sign-on can make another (`mayBeLast`). All
     * administrators are locked in one order, so that two who demote each other cannot both succeed.
     */
    async change(tx: Db, id: string, change: AccessChange, { mayBeLast: mayDemoteLast = false } = {}): Promise<StoredUser | null> {
      const lock = (condition: SQL) =>
        tx.select().from(users).where(and(condition, visible)).orderBy(users.id).for('update')
      const admins = await lock(eq(users.role, 'admin'))
      const [user] = await lock(eq(users.id, id))
      if (!user) return null
      const isActiveAdmin = ({ role, disabled, activatedAt }: StoredUser) =>
        role === 'admin' && !disabled && activatedAt !== null
      const isLast = isActiveAdmin(user) && !isActiveAdmin({ ...user, ...change })
      if (isLast && !mayDemoteLast && admins.filter(isActiveAdmin).length < 2)
        throw new ConflictError('The last active administrator can neither be disabled nor lose the role')
      if (Object.keys(change).length === 0) return user
      // Sessions and link stay ended when the user is enabled again.
      if (change.disabled === true && !user.disabled) await endSessionsOfUser(tx, id, 'access', now())
      const set = change.disabled === true ? { ...change, ...NO_LINK, breakGlass: false } : change
      const [changed] = await tx.update(users).set(set).where(eq(users.id, id)).returning()
      return changed ?? null
    },
    async hasRealUsers(): Promise<boolean> {
      const db = await connect()
      return (await db.select({ id: users.id }).from(users).where(eq(users.demo, false)).limit(1)).length > 0
    },
    async restoreDemo(user: NewStoredUser): Promise<void> {
      const db = await connect()
      const set = { role: user.role, schools: user.schools, disabled: false }
      const inserting = db.insert(users).values({ ...makeRow(user), demo: true })
      await inserting.onConflictDoUpdate({ target: users.email, set, setWhere: eq(users.demo, true) })
    },
  }
}

/** Ends the open link and all sessions but `keep`. */
export async function setPassword(
  tx: Db,
  { id, activatedAt }: StoredUser,
  passwordHash: string,
  now: Date,
  exceptId: string | null = null,
) {
  const set = { passwordHash, activatedAt: activatedAt ?? now, ...NO_LINK }
  await tx.update(users).set(set).where(eq(users.id, id))
  await endSessionsOfUser(tx, id, 'password', now.getTime(), exceptId)
}

/** Colleagues who can be assigned leads: at one of the viewer's schools, or at this school. */
export async function listColleagues(
  { users: store }: Services,
  viewer: Decider,
  { school }: { school?: string | undefined } = {},
): Promise<{ people: Colleague[] }> {
  const everyone = await store.list()
  const isWanted = ({ schools }: StoredUser) => {
    if (school !== undefined) return maySeeSchool(viewer, school) && (schools === 'all' || schools.includes(school))
    if (schools === 'all') return viewer.schools === 'all' || viewer.schools.size > 0
    return schools.some((id) => maySeeSchool(viewer, id))
  }
  const people = everyone.filter((person) => mayWorkOnLeads(person) && isWanted(person))
  return { people: people.map(({ id, name }) => ({ id, name })) }
}

type Account = Pick<StoredUser, 'role' | 'disabled'>
export const mayReadLeads = ({ role, disabled }: Account) => !disabled && permissionsByRole[role].has('leads:read')
export const mayWorkOnLeads = ({ role, disabled }: Account) => !disabled && permissionsByRole[role].has('leads:triage')

export async function findUserNames(db: Db, ids: Iterable<string | null>): Promise<ReadonlyMap<string, string>> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null)
  if (uniqueIds.length === 0) return new Map()
  const rows = await db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, uniqueIds))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, type SQL } from 'drizzle-orm'
import type { Colleague, NewUser } from '@/lib/contract/user'
import type { Connect, Db } from '@/server/base/database'
import { ConflictError } from '@/server/base/errors'
import { users as usersTable } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { endSessionsOfUser } from './sessions'
import { type Decider, maySeeSchool, permissionsByRole } from './viewer'

export type StoredUser = typeof usersTable.$inferSelect
type NewStoredUser = NewUser & { passwordHash: string | null; breakGlass?: boolean }
export type AccessChange = Partial<Pick<StoredUser, 'role' | 'schools' | 'disabled' | 'managed'>>
export type Users = ReturnType<typeof createUsers>

/** Column values that revoke the user's open link to set a password. */
export const NO_LINK = { linkHash: null, linkExpiresAt: null }

/** Stores users. Demo accounts are invisible outside the demo, whatever the table contains. */
export function createUsers({ connect, now, isDemo }: { connect: Connect; now: () => number; isDemo: boolean }) {
  const isVisible = isDemo ? undefined : eq(usersTable.demo, false)
  const findBy = async (condition: SQL, tx?: Db): Promise<StoredUser | null> => {
    const [row] = await (tx ?? (await connect())).select().from(usersTable).where(and(condition, isVisible))
    return row ?? null
  }
  const makeRow = (user: NewStoredUser) => {
    const createdAt = new Date(now())
    const activatedAt = user.passwordHash === null ? null : createdAt
    return { ...user, id: randomUUID(), email: user.email.toLowerCase(), activatedAt, createdAt }
  }
  return {
    find: (id: string, tx?: Db) => findBy(eq(usersTable.id, id), tx),
    findByEmail: (email: string, tx?: Db) => findBy(eq(usersTable.email, email.toLowerCase()), tx),
    async list(): Promise<StoredUser[]> {
      return (await connect())
        .select()
        .from(usersTable)
        .where(isVisible)
        .orderBy(asc(usersTable.name), asc(usersTable.email))
    },
    async create(tx: Db, user: NewStoredUser): Promise<StoredUser> {
      const inserting = tx.insert(usersTable).values(makeRow(user))
      const [created] = await inserting.onConflictDoNothing({ target: usersTable.email }).returning()
      if (!created) throw new ConflictError('A user with this email address exists already')
      return created
    },
    /**
     * Throws `ConflictError` if no active administrator would be left, unless single sign-on can create another
     * (`mayDemoteLast`). All administrators are locked in one order, so that two cannot demote each other.
     */
    async change(tx: Db, id: string, change: AccessChange, { mayDemoteLast = false } = {}): Promise<StoredUser | null> {
      const lock = (condition: SQL) =>
        tx.select().from(usersTable).where(and(condition, isVisible)).orderBy(usersTable.id).for('update')
      const admins = await lock(eq(usersTable.role, 'admin'))
      const [user] = await lock(eq(usersTable.id, id))
      if (!user) return null
      const isActiveAdmin = ({ role, disabled, activatedAt }: StoredUser) =>
        role === 'admin' && !disabled && activatedAt !== null
      const isLast = isActiveAdmin(user) && !isActiveAdmin({ ...user, ...change })
      if (isLast && !mayDemoteLast && admins.filter(isActiveAdmin).length < 2)
        throw new ConflictError('The last active administrator can neither be disabled nor lose the role')
      if (Object.keys(change).length === 0) return user
      // Sessions and the link end for good: enabling the user again restores neither.
      if (change.disabled === true && !user.disabled) await endSessionsOfUser(tx, id, 'access', now())
      const set = change.disabled === true ? { ...change, ...NO_LINK, breakGlass: false } : change
      const [changed] = await tx.update(usersTable).set(set).where(eq(usersTable.id, id)).returning()
      return changed ?? null
    },
    async hasRealUsers(): Promise<boolean> {
      const db = await connect()
      return (
        (await db.select({ id: usersTable.id }).from(usersTable).where(eq(usersTable.demo, false)).limit(1)).length > 0
      )
    },
    async restoreDemoUser(user: NewStoredUser): Promise<void> {
      const db = await connect()
      const set = { role: user.role, schools: user.schools, disabled: false }
      const inserting = db.insert(usersTable).values({ ...makeRow(user), demo: true })
      await inserting.onConflictDoUpdate({ target: usersTable.email, set, setWhere: eq(usersTable.demo, true) })
    },
  }
}

/** Also revokes the link to set a password, and ends all sessions except `exceptId`. */
export async function setPassword(tx: Db, user: StoredUser, passwordHash: string, now: Date, exceptId?: string) {
  const set = { passwordHash, activatedAt: user.activatedAt ?? now, ...NO_LINK }
  await tx.update(usersTable).set(set).where(eq(usersTable.id, user.id))
  await endSessionsOfUser(tx, user.id, 'password', now.getTime(), exceptId)
}

/** Lists the colleagues who can be assigned leads of the given school, or of any school of the viewer. */
export async function listColleagues(
  { users }: Services,
  viewer: Decider,
  { school }: { school?: string | undefined } = {},
): Promise<{ people: Colleague[] }> {
  const isEligible = ({ schools }: StoredUser) => {
    if (school !== undefined) return maySeeSchool(viewer, school) && (schools === 'all' || schools.includes(school))
    if (schools === 'all') return viewer.schools === 'all' || viewer.schools.size > 0
    return schools.some((id) => maySeeSchool(viewer, id))
  }
  const people = (await users.list()).filter((user) => mayWorkOnLeads(user) && isEligible(user))
  return { people: people.map(({ id, name }) => ({ id, name })) }
}

type Account = Pick<StoredUser, 'role' | 'disabled'>
export const mayReadLeads = ({ role, disabled }: Account) => !disabled && permissionsByRole[role].has('leads:read')
export const mayWorkOnLeads = ({ role, disabled }: Account) => !disabled && permissionsByRole[role].has('leads:triage')

export async function findUserNames(db: Db, ids: Iterable<string | null>): Promise<ReadonlyMap<string, string>> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null)
  if (uniqueIds.length === 0) return new Map()
  const rows = await db
    .select({ id: usersTable.id, name: usersTable.name })
    .from(usersTable)
    .where(inArray(usersTable.id, uniqueIds))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

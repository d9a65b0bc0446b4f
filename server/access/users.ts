import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, type SQL } from 'drizzle-orm'
import type { NewUser, UserChange } from '@/lib/contract/user'
import type { Connect, Db } from '@/server/base/database'
import { ConflictError, NotFoundError } from '@/server/base/errors'
import { users as usersTable } from '@/server/base/schema'
import { endSessionsOfUser } from './sessions'

export type StoredUser = typeof usersTable.$inferSelect
type NewStoredUser = NewUser & { passwordHash: string | null; breakGlass?: boolean }
export type AccessChange = UserChange & { managed?: boolean }
export type Users = ReturnType<typeof createUsers>

export const NO_PASSWORD_LINK = { linkHash: null, linkExpiresAt: null }

/** Stores users. Outside the demo its accounts are invisible, although the table may contain them. */
export function createUsers({ connect, now, isDemo }: { connect: Connect; now: () => number; isDemo: boolean }) {
  const visibleCondition = isDemo ? undefined : eq(usersTable.demo, false)
  const query = (tx: Db, condition?: SQL) => tx.select().from(usersTable).where(and(condition, visibleCondition))
  const findBy = async (condition: SQL, tx?: Db): Promise<StoredUser | null> => {
    const [user] = await query(tx ?? (await connect()), condition)
    return user ?? null
  }
  const makeRow = (user: NewStoredUser) => {
    const createdAt = new Date(now())
    const activatedAt = user.passwordHash === null ? null : createdAt
    return { ...user, id: randomUUID(), email: user.email.toLowerCase(), activatedAt, createdAt }
  }
  return {
    find: (id: string) => findBy(eq(usersTable.id, id)),
    async get(tx: Db, id: string) {
      const user = await findBy(eq(usersTable.id, id), tx)
      if (!user) throw new NotFoundError()
      return user
    },
    findByEmail: (email: string, tx?: Db) => findBy(eq(usersTable.email, email.toLowerCase()), tx),
    list: async () => query(await connect()).orderBy(asc(usersTable.name), asc(usersTable.email)),
    async create(tx: Db, user: NewStoredUser) {
      const inserting = tx.insert(usersTable).values(makeRow(user))
      const [createdUser] = await inserting.onConflictDoNothing({ target: usersTable.email }).returning()
      if (!createdUser) throw new ConflictError('A user with this email address exists already')
      return createdUser
    },
    /** Throws `ConflictError` if no active administrator would be left, unless `mayDemoteLast`. */
    async change(tx: Db, id: string, change: AccessChange, { mayDemoteLast = false } = {}): Promise<StoredUser> {
      // Administrators are locked in one order, so that two cannot demote each other.
      const lock = (condition: SQL) => query(tx, condition).orderBy(usersTable.id).for('update')
      const admins = (await lock(eq(usersTable.role, 'admin'))).filter(isActiveAdmin)
      const [user] = await lock(eq(usersTable.id, id))
      if (!user) throw new NotFoundError()
      const isDemotion = isActiveAdmin(user) && !isActiveAdmin({ ...user, ...change })
      if (isDemotion && !mayDemoteLast && admins.length < 2)
        throw new ConflictError('The last active administrator can neither be disabled nor lose the role')
      if (Object.keys(change).length === 0) return user
      const isDisabling = change.disabled === true
      // Sessions and the link end for good: enabling the user again restores neither.
      if (isDisabling && !user.disabled) await endSessionsOfUser(tx, id, { endedBy: 'access', nowMs: now() })
      const set = isDisabling ? { ...change, ...NO_PASSWORD_LINK, breakGlass: false } : change
      await tx.update(usersTable).set(set).where(eq(usersTable.id, id))
      return { ...user, ...set }
    },
    hasRealUsers: async () => (await (await connect()).$count(usersTable, eq(usersTable.demo, false))) > 0,
    async ensureDemoUser(user: NewStoredUser) {
      const db = await connect()
      const set = { role: user.role, schools: user.schools, disabled: false }
      const inserting = db.insert(usersTable).values({ ...makeRow(user), demo: true })
      await inserting.onConflictDoUpdate({ target: usersTable.email, set, setWhere: eq(usersTable.demo, true) })
    },
  }
}

function isActiveAdmin({ role, disabled, activatedAt }: StoredUser) {
  return role === 'admin' && !disabled && activatedAt !== null
}

type NewPassword = { passwordHash: string; nowMs: number; exceptId?: string | undefined }

/** Sets a password, which revokes an open link to set one and ends all sessions but `exceptId`. */
export async function setPassword(tx: Db, user: StoredUser, { passwordHash, nowMs, exceptId }: NewPassword) {
  const set = { passwordHash, activatedAt: user.activatedAt ?? new Date(nowMs), ...NO_PASSWORD_LINK }
  await tx.update(usersTable).set(set).where(eq(usersTable.id, user.id))
  await endSessionsOfUser(tx, user.id, { endedBy: 'password', nowMs, exceptId })
}

export async function findUserNames(db: Db, ids: Iterable<string | null>): Promise<ReadonlyMap<string, string>> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null)
  if (uniqueIds.length === 0) return new Map()
  const { id, name } = usersTable
  const rows = await db.select({ id, name }).from(usersTable).where(inArray(id, uniqueIds))
  return new Map(rows.map((row) => [row.id, row.name]))
}

import 'server-only'
import { type SQL, and, asc, eq, isNull } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { NewUser } from '@/lib/contract/user'
import { endSessionsOfPerson } from '@/server/access/sessions'
import { knownDevices } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { invitations, users } from '@/server/db/schema'
import { ConflictError } from '@/server/errors'

export type StoredUser = typeof users.$inferSelect
type NewStoredUser = NewUser & { passwordHash: string | null; breakGlass?: boolean }
/** What an administrator may change, or the provider of single sign-on; absent fields stay as they are. */
export type AccessChange = Partial<Pick<StoredUser, 'role' | 'schools' | 'disabled' | 'managed'>>
export type Users = ReturnType<typeof createUsers>

/** The people who may sign in. Demo accounts do not exist for it unless `demo`, whatever the table holds. */
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
    /** `ConflictError` when no administrator would be left, unless the provider can make another (`mayBeLast`). */
    change: (tx: Db, id: string, change: AccessChange, { mayBeLast = false } = {}): Promise<StoredUser | null> =>
      changeStoredUser(tx, id, change, { visible, now: now(), mayBeLast }),
    async activate(id: string, tx?: Db): Promise<void> {
      const db = tx ?? (await connect())
      const isNew = and(eq(users.id, id), isNull(users.activatedAt))
      await db
        .update(users)
        .set({ activatedAt: new Date(now()) })
        .where(isNew)
    },
    async anyReal(): Promise<boolean> {
      const db = await connect()
      return (await db.select({ id: users.id }).from(users).where(eq(users.demo, false)).limit(1)).length > 0
    },
    /** Makes a demo account what the documentation says it is, also after somebody changed it. */
    async restoreDemo(user: NewStoredUser): Promise<void> {
      const { role, schools } = user
      const set = { role, schools, disabled: false }
      await (
        await connect()
      )
        .insert(users)
        .values(rowOf({ ...user, demo: true }, new Date(now())))
        .onConflictDoUpdate({ target: users.email, set, setWhere: eq(users.demo, true) })
    },
  }
}

function rowOf(user: NewStoredUser & { demo: boolean }, now: Date) {
  const activatedAt = user.passwordHash === null ? null : now
  return { ...user, id: randomUUID(), email: user.email.toLowerCase(), activatedAt, createdAt: now }
}

type Changing = { visible: SQL | undefined; now: number; mayBeLast: boolean }

/** Every administrator's row is locked in one order, so that two who demote each other cannot both succeed. */
async function changeStoredUser(tx: Db, id: string, change: AccessChange, { visible, now, mayBeLast }: Changing) {
  const locked = (which: SQL) => tx.select().from(users).where(and(which, visible)).orderBy(users.id).for('update')
  const admins = await locked(eq(users.role, 'admin'))
  const [user] = await locked(eq(users.id, id))
  if (!user) return null
  const isLast =
    isActiveAdmin(user) && !isActiveAdmin({ ...user, ...change }) && admins.filter(isActiveAdmin).length < 2
  if (isLast && !mayBeLast) {
    throw new ConflictError('The last active administrator can neither be disabled nor lose the role')
  }
  if (Object.keys(change).length === 0) return user
  if (change.disabled === true && !user.disabled) {
    // Sessions and links stay ended when the person is let in again.
    await endSessionsOfPerson(tx, id, 'access', now)
    await withdrawInvitations(tx, id)
  }
  const [changed] = await tx.update(users).set(change).where(eq(users.id, id)).returning()
  return changed ?? null
}

function isActiveAdmin(user: StoredUser): boolean {
  return user.role === 'admin' && !user.disabled && user.activatedAt !== null
}

/** Within a transaction: links that the person has not used are worth nothing any more. */
export async function withdrawInvitations(tx: Db, userId: string): Promise<void> {
  await tx.delete(invitations).where(and(eq(invitations.userId, userId), isNull(invitations.usedAt)))
}

/** Without a session to keep the person came by a link: a thief of the old password may have made a browser known. */
export async function setPassword(
  db: Db,
  id: string,
  passwordHash: string,
  now: Date,
  keep: string | null = null,
): Promise<void> {
  const [user] = await db.select().from(users).where(eq(users.id, id)).for('update')
  if (!user) return
  await db
    .update(users)
    .set({ passwordHash, activatedAt: user.activatedAt ?? now })
    .where(eq(users.id, id))
  await endSessionsOfPerson(db, id, 'password', now.getTime(), keep)
  if (keep === null) await db.delete(knownDevices).where(eq(knownDevices.userId, id))
  await withdrawInvitations(db, id)
}

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
  return {
    /** Within a transaction with `tx`. */
    async find(id: string, tx?: Db): Promise<StoredUser | null> {
      const database = tx ?? (await connect())
      const [row] = await database
        .select()
        .from(users)
        .where(and(eq(users.id, id), visible))
      return row ?? null
    },
    /** Within a transaction with `tx`. */
    async findByEmail(email: string, tx?: Db): Promise<StoredUser | null> {
      const database = tx ?? (await connect())
      const [row] = await database
        .select()
        .from(users)
        .where(and(eq(users.email, email.toLowerCase()), visible))
      return row ?? null
    },
    async list(): Promise<StoredUser[]> {
      return (await connect()).select().from(users).where(visible).orderBy(asc(users.name), asc(users.email))
    },
    /** Rejects with `ConflictError` when the e-mail is taken. */
    create: (tx: Db, user: NewStoredUser): Promise<StoredUser> => insertUser(tx, user, new Date(now())),
    /**
     * Within a transaction: null for an unknown id; `ConflictError` when no administrator would be left, unless there may be none:
     * where the provider of single sign-on makes them, it can make another.
     */
    change: (tx: Db, id: string, change: AccessChange, { mayBeLast = false } = {}): Promise<StoredUser | null> =>
      changeStoredUser(tx, id, change, { visible, now: now(), mayBeLast }),
    /** The first sign-in without a password, within a transaction with `tx`; later ones change nothing. */
    async activate(id: string, tx?: Db): Promise<void> {
      await activate(tx ?? (await connect()), id, new Date(now()))
    },
    /** Whether anybody is there but demo accounts. */
    async anyReal(): Promise<boolean> {
      const found = await (await connect()).select({ id: users.id }).from(users).where(eq(users.demo, false)).limit(1)
      return found.length > 0
    },
    /** Makes a demo account what the documentation says it is, also after somebody changed it. */
    async restoreDemo(user: NewStoredUser): Promise<void> {
      await restoreDemo(await connect(), user, new Date(now()))
    },
  }
}

/** Every administrator's row is locked first, in one order, so that two who demote each other at once cannot both succeed. */
async function changeStoredUser(
  tx: Db,
  id: string,
  change: AccessChange,
  { visible, now, mayBeLast }: { visible: SQL | undefined; now: number; mayBeLast: boolean },
): Promise<StoredUser | null> {
  const admins = await tx
    .select()
    .from(users)
    .where(and(eq(users.role, 'admin'), visible))
    .orderBy(users.id)
    .for('update')
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, id), visible))
    .for('update')
  if (!user) return null
  const isLast =
    isActiveAdmin(user) && !isActiveAdmin({ ...user, ...change }) && admins.filter(isActiveAdmin).length < 2
  if (isLast && !mayBeLast) {
    throw new ConflictError('The last active administrator can neither be disabled nor lose the role')
  }
  if (Object.keys(change).length === 0) return user
  if (change.disabled === true && !user.disabled) await endAccess(tx, id, now)
  const [changed] = await tx.update(users).set(change).where(eq(users.id, id)).returning()
  return changed ?? null
}

/** Sessions and links stay ended when the person is let in again. */
async function endAccess(tx: Db, id: string, now: number): Promise<void> {
  await endSessionsOfPerson(tx, id, 'access', now)
  await tx.delete(invitations).where(and(eq(invitations.userId, id), isNull(invitations.usedAt)))
}

/** Somebody who is invited but never signed in cannot administer the others yet. */
function isActiveAdmin(user: StoredUser): boolean {
  return user.role === 'admin' && !user.disabled && user.activatedAt !== null
}

async function insertUser(db: Db, user: NewStoredUser, now: Date): Promise<StoredUser> {
  const [row] = await db
    .insert(users)
    .values(rowOf({ ...user, demo: false }, now))
    .onConflictDoNothing({ target: users.email })
    .returning()
  if (!row) throw new ConflictError('A user with this email address exists already')
  return row
}

async function activate(db: Db, id: string, now: Date): Promise<void> {
  const [user] = await db.select({ activatedAt: users.activatedAt }).from(users).where(eq(users.id, id))
  if (user?.activatedAt === null) await db.update(users).set({ activatedAt: now }).where(eq(users.id, id))
}

async function restoreDemo(db: Db, user: NewStoredUser, now: Date): Promise<void> {
  const { role, schools } = user
  await db
    .insert(users)
    .values(rowOf({ ...user, demo: true }, now))
    .onConflictDoUpdate({
      target: users.email,
      set: { role, schools, disabled: false },
      setWhere: eq(users.demo, true),
    })
}

function rowOf(user: NewStoredUser & { demo: boolean }, now: Date) {
  const activatedAt = user.passwordHash === null ? null : now
  return { ...user, id: randomUUID(), email: user.email.toLowerCase(), activatedAt, createdAt: now }
}

/**
 * Within a transaction. Sessions made with the old password end, but for the one to keep; so do links to set another. Without
 * one to keep the person came by a link: whoever had the password may have made a browser known, so none is any more.
 */
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
  await db.delete(invitations).where(and(eq(invitations.userId, id), isNull(invitations.usedAt)))
}

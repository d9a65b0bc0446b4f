import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import type { NewUser, UserChange } from '@/lib/contract/user'
import type { Connect, Db } from '@/server/db/db'
import { users } from '@/server/db/schema'
import { ConflictError } from '@/server/errors'
import { changeStoredUser } from './change-stored-user'

export type StoredUser = typeof users.$inferSelect
export type NewStoredUser = Omit<NewUser, 'password'> & { passwordHash: string | null }
export type Users = ReturnType<typeof createUsers>

/** The people who may sign in. Demo accounts do not exist for it unless `demo`, whatever the table holds. */
export function createUsers({ db, clock, demo }: { db: Connect; clock: () => number; demo: boolean }) {
  const real = demo ? undefined : eq(users.demo, false)
  return {
    async find(id: string): Promise<StoredUser | null> {
      const [row] = await (
        await db()
      )
        .select()
        .from(users)
        .where(and(eq(users.id, id), real))
      return row ?? null
    },
    async findByEmail(email: string): Promise<StoredUser | null> {
      const [row] = await (
        await db()
      )
        .select()
        .from(users)
        .where(and(eq(users.email, email.toLowerCase()), real))
      return row ?? null
    },
    async list(): Promise<StoredUser[]> {
      return (await db()).select().from(users).where(real).orderBy(asc(users.name), asc(users.email))
    },
    /** Rejects with `ConflictError` when the e-mail is taken. */
    async create(user: NewStoredUser): Promise<StoredUser> {
      return insertUser(await db(), { ...user, demo: false }, new Date(clock()))
    },
    /** Null for an unknown id; `ConflictError` when no administrator would be left. */
    async change(id: string, change: UserChange): Promise<StoredUser | null> {
      return (await db()).transaction((tx) => changeStoredUser(tx, id, change, real))
    },
    /** Sessions made with the old password end. */
    async setPassword(id: string, passwordHash: string): Promise<void> {
      await setPassword(await db(), id, passwordHash, new Date(clock()))
    },
    /** The first sign-in without a password; later ones change nothing. */
    async activate(id: string): Promise<void> {
      await activate(await db(), id, new Date(clock()))
    },
    /** Whether anybody is there but demo accounts. */
    async anyReal(): Promise<boolean> {
      const found = await (await db()).select({ id: users.id }).from(users).where(eq(users.demo, false)).limit(1)
      return found.length > 0
    },
    /** Makes a demo account what the documentation says it is, also after somebody changed it. */
    async restoreDemo(user: NewStoredUser): Promise<void> {
      await restoreDemo(await db(), user, new Date(clock()))
    },
  }
}

export async function setPassword(db: Db, id: string, passwordHash: string, now: Date): Promise<void> {
  const [user] = await db.select().from(users).where(eq(users.id, id)).for('update')
  if (!user) return
  await db
    .update(users)
    .set({ passwordHash, activatedAt: user.activatedAt ?? now, sessionEpoch: user.sessionEpoch + 1 })
    .where(eq(users.id, id))
}

async function insertUser(db: Db, user: NewStoredUser & { demo: boolean }, now: Date): Promise<StoredUser> {
  const [row] = await db.insert(users).values(rowOf(user, now)).onConflictDoNothing({ target: users.email }).returning()
  if (!row) throw new ConflictError('A user with this e-mail address exists already')
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

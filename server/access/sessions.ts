import 'server-only'
import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { userAgent } from 'next/server'
import type { Role } from '@/lib/contract/user'
import { sessions } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { users } from '@/server/db/schema'
import type { Logger } from '@/server/logger'
import { createLruCache } from '@/server/lru-cache'
import type { ToldByProvider } from './oidc-claims'
import { enrolment, mayUsePassword, mustEnrol, type PasswordEnv } from './sign-in-rules'

export type StoredSession = typeof sessions.$inferSelect
type StoredPerson = typeof users.$inferSelect
/** A session with its person; `mustEnrol`: their role asks for a second factor that they do not have. */
export type Found = { session: StoredSession; user: StoredPerson; mustEnrol: boolean } | null
export type Sessions = ReturnType<typeof createSessions>

export type NewSession = Pick<StoredSession, 'userId' | 'method' | 'device' | 'address'> & {
  providerSid?: string | null
  sealIdToken?: (id: string) => string | null
  provedAt?: Date
}

const HOUR_MS = 3_600_000
/** Without use a session lasts eight hours, an administrator's one; however used, twelve from sign-in on. */
export const IDLE_MS: Readonly<Record<Role, number>> = { staff: 8 * HOUR_MS, manager: 8 * HOUR_MS, admin: HOUR_MS }
export const LONGEST_MS = 12 * HOUR_MS

export function holds(session: StoredSession, { role }: { role: Role }, now: number): boolean {
  return session.endedAt === null && now < endOf(session, role)
}

export function endOf({ createdAt, lastUsedAt }: StoredSession, role: Role): number {
  return Math.min(createdAt.getTime() + LONGEST_MS, lastUsedAt.getTime() + IDLE_MS[role])
}

type Parts = {
  connect: Connect
  now: () => number
  logger: Pick<Logger, 'warn'>
  demo: boolean
  /** Who may come in without the provider; everyone without it. */
  env?: PasswordEnv
}

/** A use is written at most this often, which is how much too early an idle session may end. */
const USE_EVERY_MS = 60_000
const MOST_USED = 10_000

/** Ending one must be announced afterwards, so that no instance takes it for valid. */
export function createSessions({ connect, now, logger, demo, env }: Parts) {
  const used = createLruCache<number>(MOST_USED)
  return {
    async find(id: string): Promise<Found> {
      const db = await connect()
      const [row] = await db
        .select({ session: sessions, user: users, ...enrolment })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, id), demo ? undefined : eq(users.demo, false)))
      if (!row || !isOpenWay(row, env)) return null
      return { session: row.session, user: row.user, mustEnrol: mustEnrol(row) }
    },
    async begin({ sealIdToken, ...session }: NewSession): Promise<string> {
      const id = randomBytes(24).toString('base64url')
      const at = new Date(now())
      const times = { createdAt: at, lastUsedAt: at, provedAt: at }
      await (await connect()).insert(sessions).values({ id, ...times, ...session, sealedIdToken: sealIdToken?.(id) })
      return id
    },
    async proved(id: string, told: Partial<ToldByProvider> = {}): Promise<void> {
      const proof = { provedAt: new Date(now()), ...told }
      await (await connect()).update(sessions).set(proof).where(eq(sessions.id, id))
    },
    /** The person has done something in it. Nothing waits for this to be written, and nothing fails with it. */
    use(id: string): void {
      const at = now()
      if (at - (used.get(id) ?? 0) < USE_EVERY_MS) return
      used.set(id, at)
      const onFailure = (err: unknown) => logger.warn({ err }, 'the use of a session is not kept')
      writeUse(connect, id, new Date(at)).catch(onFailure)
    },
    list: async (userId: string, role: Role): Promise<StoredSession[]> =>
      (await lately(await connect(), userId, now()))
        .filter((row) => holds(row.session, { role }, now()) && isOpenWay(row, env))
        .map(({ session }) => session),
    end: async (tx: Db, userId: string, id: string, by: EndedBy): Promise<boolean> =>
      (await endSessions(tx, and(eq(sessions.userId, userId), eq(sessions.id, id)), by, now())).length > 0,
    endAtProvider: (tx: Db, over: OverAtProvider): Promise<string[]> =>
      endSessions(tx, atProvider(over), 'provider', now()),
    endAll: (tx: Db, userId: string, by: EndedBy, keep: string | null = null): Promise<number> =>
      endSessionsOfPerson(tx, userId, by, now(), keep),
  }
}

function lately(db: Db, userId: string, now: number) {
  const isYoung = gt(sessions.createdAt, new Date(now - LONGEST_MS))
  return db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), isYoung))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
}

/** A session ends with the way by which it began: `PASSWORD_SIGN_IN=off` ends those by a password or passkey. */
function isOpenWay({ session, user }: { session: StoredSession; user: StoredPerson }, env: Parts['env']): boolean {
  return session.method === 'oidc' || env === undefined || mayUsePassword(env, user)
}

type EndedBy = NonNullable<StoredSession['endedBy']>

/** Within a transaction: every session of a person ends but for the one to keep; how many. */
export async function endSessionsOfPerson(
  tx: Db,
  userId: string,
  by: EndedBy,
  now: number,
  keep: string | null = null,
): Promise<number> {
  const theirs = and(eq(sessions.userId, userId), keep === null ? undefined : ne(sessions.id, keep))
  return (await endSessions(tx, theirs, by, now)).length
}

/** The provider's session by its id, whenever it began; a person's only if it began before `before`. */
type OverAtProvider = { sid: string | null; userId: string | null; before: Date }

function atProvider({ sid, userId, before }: OverAtProvider): SQL | undefined {
  const theirs = userId === null ? sql`false` : and(eq(sessions.userId, userId), lte(sessions.createdAt, before))
  // One that never named its session is known by the person alone.
  const which = sid === null ? theirs : or(eq(sessions.providerSid, sid), and(isNull(sessions.providerSid), theirs))
  return and(eq(sessions.method, 'oidc'), which)
}

async function endSessions(tx: Db, which: SQL | undefined, by: EndedBy, now: number): Promise<string[]> {
  const ended = await tx
    .update(sessions)
    .set({ endedAt: new Date(now), endedBy: by, sealedIdToken: null })
    .where(and(which, isNull(sessions.endedAt)))
    .returning({ userId: sessions.userId })
  return ended.map(({ userId }) => userId)
}

async function writeUse(connect: Connect, id: string, at: Date): Promise<void> {
  const db = await connect()
  await db
    .update(sessions)
    .set({ lastUsedAt: at })
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt)))
}

export function deviceOf(headers: Headers): string {
  const { browser, os } = userAgent({ headers })
  const known = [browser.name, os.name].filter((name) => name !== undefined && name !== '')
  return known.length === 0 ? '?' : known.join(', ').slice(0, 60)
}

import 'server-only'
import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { userAgent } from 'next/server'
import type { Role } from '@/lib/contract/user'
import { sessions } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { users } from '@/server/db/schema'
import type { Env } from '@/server/env'
import type { Logger } from '@/server/logger'
import { createRecent } from '@/server/recent'
import type { ToldByProvider } from './oidc-claims'
import { mayUsePassword } from './password-sign-in'
import { enrolment, mustEnrol } from './sign-in-rules'

export type StoredSession = typeof sessions.$inferSelect
type StoredPerson = typeof users.$inferSelect
/** A session, and the person whose it is; whether their role asks for a second factor that they do not have. */
export type Found = { session: StoredSession; user: StoredPerson; mustEnrol: boolean } | null
export type Sessions = ReturnType<typeof createSessions>

/** What is kept of how somebody came in. */
export type NewSession = Pick<StoredSession, 'userId' | 'method' | 'device' | 'address'> & {
  providerSid?: string | null
  /** Enciphers what the provider wants back at sign-out, for the row of this id. */
  sealIdToken?: (id: string) => string | null
  /** When they last showed who they are, if not now: a provider may have known them from before. */
  provedAt?: Date
}

const HOUR_MS = 3_600_000
/** Without use a session lasts eight hours, an administrator's one; however used, twelve from sign-in on. */
export const IDLE_MS: Readonly<Record<Role, number>> = { staff: 8 * HOUR_MS, manager: 8 * HOUR_MS, admin: HOUR_MS }
export const LONGEST_MS = 12 * HOUR_MS

/** Whether a session is neither ended nor too old for somebody of this role (ASVS 5.0, V7.3: idle and absolute limits). */
export function holds(session: StoredSession, { role }: { role: Role }, now: number): boolean {
  return session.endedAt === null && now < endOf(session, role)
}

/** When (ms) a session ends by itself if it is not used any more. */
export function endOf({ createdAt, lastUsedAt }: StoredSession, role: Role): number {
  return Math.min(createdAt.getTime() + LONGEST_MS, lastUsedAt.getTime() + IDLE_MS[role])
}

type Parts = {
  connect: Connect
  now: () => number
  logger: Pick<Logger, 'warn'>
  /** Whether accounts of the demo exist. */
  demo: boolean
  /** Who may come in without the provider; without it everybody. */
  env?: Pick<Env, 'oidc' | 'passwordSignIn'>
}

/** A use is written at most this often, which is how much too early an idle session may end. */
const USE_EVERY_MS = 60_000
const MOST_USED = 10_000

/** The sessions of all people. Who ends one announces the person afterwards, so that no instance takes it for valid. */
export function createSessions({ connect, now, logger, demo, env }: Parts) {
  const used = createRecent<number>(MOST_USED)
  return {
    /** With whose it is; null when there is none. */
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
    /** Somebody has proved who they are: answers the new session's id. */
    async begin({ sealIdToken, ...session }: NewSession): Promise<string> {
      const id = randomBytes(24).toString('base64url')
      const at = new Date(now())
      const times = { createdAt: at, lastUsedAt: at, provedAt: at }
      await (await connect()).insert(sessions).values({ id, ...times, ...session, sealedIdToken: sealIdToken?.(id) })
      return id
    },
    /** The person has shown anew that it is they. */
    async proved(id: string, told: Partial<ToldByProvider> = {}): Promise<void> {
      const db = await connect()
      await db
        .update(sessions)
        .set({ provedAt: new Date(now()), ...told })
        .where(eq(sessions.id, id))
    },
    /** The person has done something in it. Nobody waits for this to be written, and nothing fails with it. */
    use(id: string): void {
      const at = now()
      if (at - (used.get(id) ?? 0) < USE_EVERY_MS) return
      used.set(id, at)
      writeUse(connect, id, new Date(at)).catch((err: unknown) =>
        logger.warn({ err }, 'the use of a session is not kept'),
      )
    },
    /** Those of a person that hold, the latest used first. */
    list: async (userId: string, role: Role): Promise<StoredSession[]> => {
      const rows = await lately(await connect(), userId, now())
      return rows.flatMap((row) => (holds(row.session, { role }, now()) && isOpenWay(row, env) ? [row.session] : []))
    },
    /** Within a transaction: one session of this person; whether it had not ended yet. */
    end: async (tx: Db, userId: string, id: string, by: EndedBy): Promise<boolean> =>
      (await endSessions(tx, and(eq(sessions.userId, userId), eq(sessions.id, id)), by, now())) > 0,
    /** Within a transaction: those that began by the provider and are over there; whose each was. */
    endAtProvider: (tx: Db, over: OverAtProvider): Promise<string[]> =>
      endedUsers(tx, atProvider(over), 'provider', now()),
    /** Within a transaction: all of a person, but for the one to keep; how many. */
    endAll: (tx: Db, userId: string, by: EndedBy, keep: string | null = null): Promise<number> =>
      endSessions(tx, allOf(userId, keep), by, now()),
  }
}

/** Those of a person that nobody has ended and that are young enough, the latest used first. */
function lately(db: Db, userId: string, now: number) {
  const since = new Date(now - LONGEST_MS)
  return db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.createdAt, since)))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
}

/** A session ends with the way by which it began: `PASSWORD_SIGN_IN=off` leaves nobody in who came by a password or passkey. */
function isOpenWay({ session, user }: { session: StoredSession; user: StoredPerson }, env: Parts['env']): boolean {
  return session.method === 'oidc' || env === undefined || mayUsePassword(env, user)
}

type EndedBy = NonNullable<StoredSession['endedBy']>

/** Within a transaction: every session of a person ends but for the one to keep, as where access is taken away. */
export function endSessionsOfPerson(
  tx: Db,
  userId: string,
  by: EndedBy,
  now: number,
  keep: string | null = null,
): Promise<number> {
  return endSessions(tx, allOf(userId, keep), by, now)
}

function allOf(userId: string, keep: string | null): SQL | undefined {
  return and(eq(sessions.userId, userId), keep === null ? undefined : ne(sessions.id, keep))
}

/** The provider's session by its id, whenever it began; of a person only what began before `before`: an old word ends nothing new. */
type OverAtProvider = { sid: string | null; userId: string | null; before: Date }

function atProvider({ sid, userId, before }: OverAtProvider): SQL | undefined {
  const theirs = userId === null ? sql`false` : and(eq(sessions.userId, userId), lte(sessions.createdAt, before))
  // Of one that never named its session the person is all there is to know it by.
  const which = sid === null ? theirs : or(eq(sessions.providerSid, sid), and(isNull(sessions.providerSid), theirs))
  return and(eq(sessions.method, 'oidc'), which)
}

async function endSessions(tx: Db, which: SQL | undefined, by: EndedBy, now: number): Promise<number> {
  return (await endedUsers(tx, which, by, now)).length
}

async function endedUsers(tx: Db, which: SQL | undefined, by: EndedBy, now: number): Promise<string[]> {
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

/** Browser and system as somebody would know them again, such as "Firefox, Windows". */
export function deviceOf(headers: Headers): string {
  const { browser, os } = userAgent({ headers })
  const known = [browser.name, os.name].filter((name) => name !== undefined && name !== '')
  return known.length === 0 ? '?' : known.join(', ').slice(0, 60)
}

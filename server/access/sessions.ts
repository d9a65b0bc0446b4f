import { randomBytes } from 'node:crypto'
import { and, desc, eq, isNull, ne, or, type SQL } from 'drizzle-orm'
import { IDLE_HOURS } from '@/lib/contract/limits'
import type { Role } from '@/lib/contract/user'
import { HOUR_MS, MINUTE_MS } from '@/lib/time/durations'
import { sessions } from '@/server/base/access-schema'
import type { Db } from '@/server/base/database'
import { createLruCache } from '@/server/base/lru-cache'
import { users } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { BaseServices } from '@/server/base/services'
import type { ProviderProof } from './oidc-claims'
import { mayUsePassword } from './password-access'
import { factorColumns, isFactorRequired } from './sign-in-rules'

export type StoredSession = typeof sessions.$inferSelect
export type SessionWithUser = { session: StoredSession; user: typeof users.$inferSelect; mustEnrol: boolean }
export type Sessions = ReturnType<typeof createSessions>

type EndedBy = NonNullable<StoredSession['endedBy']>

type NewSession = Pick<StoredSession, 'userId' | 'method' | 'device' | 'address'> &
  Partial<ProviderProof> & { idToken?: string | null }

/** A session ends this long after sign-in, however much it is used. */
export const MAX_SESSION_MS = 12 * HOUR_MS

export function isValidSession(session: StoredSession, { role }: { role: Role }, nowMs: number) {
  const { createdAt, lastUsedAt, endedAt } = session
  const expiresAt = Math.min(createdAt.getTime() + MAX_SESSION_MS, lastUsedAt.getTime() + IDLE_HOURS[role] * HOUR_MS)
  return endedAt === null && nowMs < expiresAt
}

/** Stores sessions. A caller that ends a session announces its user, because all instances cache viewers. */
export function createSessions({ connect, now, logger, env, seal }: BaseServices) {
  const lastUseMsById = createLruCache<number>(10_000)
  const findSessions = async (condition: SQL | undefined) => {
    const db = await connect()
    const rows = await db
      .select({ session: sessions, user: users, ...factorColumns })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(condition, env.mode === 'demo' ? undefined : eq(users.demo, false)))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    // A session counts only while the user may still sign in by the method it began with.
    return rows.filter(({ session, user }) => session.method === 'oidc' || mayUsePassword(env, user))
  }
  return {
    async find(id: string): Promise<SessionWithUser | null> {
      const [row] = await findSessions(eq(sessions.id, id))
      if (!row) return null
      const { session, user, hasFactor, rules } = row
      // Demo accounts are shared, and the provider has rules of its own, so neither needs a second factor here.
      const isExempt = hasFactor || user.demo || session.method === 'oidc'
      return { session, user, mustEnrol: !isExempt && isFactorRequired(rules, user.role) }
    },
    async begin({ idToken, ...session }: NewSession) {
      const id = randomBytes(24).toString('base64url')
      const beganAt = new Date(now())
      const times = { createdAt: beganAt, lastUsedAt: beganAt, provedAt: beganAt }
      const sealedIdToken = idToken ? seal.encrypt(idToken, sealContext.idToken(id)) : null
      await (await connect()).insert(sessions).values({ id, ...times, ...session, sealedIdToken })
      return id
    },
    async recordProof(id: string, proof: Partial<ProviderProof> = {}) {
      const set = { provedAt: new Date(now()), ...proof }
      await (await connect()).update(sessions).set(set).where(eq(sessions.id, id))
    },
    /** The last use is written once a minute at most, so an idle session may end up to a minute too early. */
    recordUse(id: string) {
      const nowMs = now()
      if (nowMs - (lastUseMsById.get(id) ?? 0) < MINUTE_MS) return
      lastUseMsById.set(id, nowMs)
      const openCondition = and(eq(sessions.id, id), isNull(sessions.endedAt))
      const set = { lastUsedAt: new Date(nowMs) }
      const write = async () => (await connect()).update(sessions).set(set).where(openCondition)
      write().catch((err: unknown) => logger.warn({ err }, 'the use of a session is not kept'))
    },
    async list(userId: string) {
      const rows = await findSessions(and(eq(sessions.userId, userId), isNull(sessions.endedAt)))
      return rows.filter(({ session, user }) => isValidSession(session, user, now())).map(({ session }) => session)
    },
    /** Returns true if the user has this session and it had not ended yet. */
    async end(tx: Db, userId: string, id: string, endedBy: EndedBy) {
      const ownCondition = and(eq(sessions.userId, userId), eq(sessions.id, id))
      return (await endSessions(tx, ownCondition, { endedBy, nowMs: now() })).length > 0
    },
    /** Ends the sessions that a logout token of the provider means, and returns the user id of each. */
    async endProviderSessions(tx: Db, { sid, userId }: { sid: string | null; userId: string | null }) {
      // Without a user the condition matches no session, because no id is empty.
      const userCondition = eq(sessions.userId, userId ?? '')
      // A session that began without a `sid` can be identified by its user only.
      const withoutSidCondition = and(isNull(sessions.providerSid), userCondition)
      const condition = sid === null ? userCondition : or(eq(sessions.providerSid, sid), withoutSidCondition)
      return endSessions(tx, and(eq(sessions.method, 'oidc'), condition), { endedBy: 'provider', nowMs: now() })
    },
    endAll: (tx: Db, userId: string, endedBy: EndedBy, exceptId?: string) =>
      endSessionsOfUser(tx, userId, { endedBy, nowMs: now(), exceptId }),
  }
}

type SessionEnd = { endedBy: EndedBy; nowMs: number; exceptId?: string | undefined }

/** Returns how many sessions have ended. */
export async function endSessionsOfUser(tx: Db, userId: string, end: SessionEnd) {
  const otherCondition = end.exceptId === undefined ? undefined : ne(sessions.id, end.exceptId)
  return (await endSessions(tx, and(eq(sessions.userId, userId), otherCondition), end)).length
}

async function endSessions(tx: Db, condition: SQL | undefined, { endedBy, nowMs }: SessionEnd) {
  const endedRows = await tx
    .update(sessions)
    .set({ endedAt: new Date(nowMs), endedBy, sealedIdToken: null })
    .where(and(condition, isNull(sessions.endedAt)))
    .returning({ userId: sessions.userId })
  return endedRows.map(({ userId }) => userId)
}

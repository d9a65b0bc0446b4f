import { and, eq, gt, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { Connect } from '@/server/base/database'
import { feedLeader } from '@/server/base/sharing-schema'

/** All instances go by the database's clock, so that their own need not agree. */
export const CLOCK = sql`clock_timestamp()`

export function toMilliseconds(moment: SQLWrapper): SQL<number> {
  return sql<number>`extract(epoch from ${moment}) * 1000`.mapWith(Number)
}

const LEASE_NAME = 'lists'
const nameCondition = eq(feedLeader.name, LEASE_NAME)

/** Makes one instance the one that fetches, as long as its process lives. Each new holder gets a higher token. */
export function createLease({ connect, leaseMs, instance }: { connect: Connect; leaseMs: number; instance: string }) {
  let fencingToken: number | null = null
  let renewalTimer: NodeJS.Timeout | undefined
  const { fencingToken: token, leaseUntil } = feedLeader

  /** Takes or renews the lease. While another instance has it, `fencingToken` is null. */
  async function acquireLease(): Promise<{ fencingToken: number | null; freeInMs: number }> {
    const db = await connect()
    const [ownLease] = await db
      .insert(feedLeader)
      .values({
        name: LEASE_NAME,
        instance,
        fencingToken: sql`(extract(epoch from ${CLOCK}) * 1000)::bigint`,
        leaseUntil: sql`${CLOCK} + ${leaseMs}::int * interval '1 millisecond'`,
      })
      .onConflictDoUpdate({
        target: feedLeader.name,
        set: {
          instance,
          fencingToken: sql`case when ${leaseUntil} > ${CLOCK} then ${token}
            else greatest(${token} + 1, excluded.token) end`,
          leaseUntil: sql`excluded.until`,
        },
        setWhere: sql`${feedLeader.instance} = excluded.instance or ${leaseUntil} <= ${CLOCK}`,
      })
      .returning({ token })
    fencingToken = ownLease?.token ?? null
    clearInterval(renewalTimer)
    if (fencingToken !== null) {
      // Two renewals may fail before the lease ends.
      renewalTimer = setInterval(() => void acquireLease().catch(() => {}), leaseMs / 3).unref()
      return { fencingToken, freeInMs: 0 }
    }
    // A second statement also sees a row that another instance wrote at the same moment.
    const leftMs = toMilliseconds(sql`${leaseUntil} - ${CLOCK}`)
    const [otherLease] = await db.select({ leftMs }).from(feedLeader).where(nameCondition)
    return { fencingToken, freeInMs: Math.max(0, Math.ceil(otherLease?.leftMs ?? 0)) }
  }

  return {
    acquireLease,
    fencingToken: (): number | null => fencingToken,
    async close(): Promise<void> {
      clearInterval(renewalTimer)
      if (fencingToken === null) return
      fencingToken = null
      // A lease that cannot be given back ends by itself.
      await connect()
        .then((db) => db.update(feedLeader).set({ leaseUntil: CLOCK }).where(eq(feedLeader.instance, instance)))
        .catch(() => {})
    },
  }
}

/** Creates the SQL condition that the lease with this token has not ended. */
export function createLeaseCondition(instance: string, token: number) {
  const { fencingToken, leaseUntil } = feedLeader
  return and(nameCondition, eq(feedLeader.instance, instance), eq(fencingToken, token), gt(leaseUntil, CLOCK))
}

import { and, eq, gt, sql } from 'drizzle-orm'
import type { Connect } from '@/server/base/database'
import { feedLeader } from '@/server/base/sharing-schema'

/** Leases and publications end by the database's clock, which all instances share. */
export const DATABASE_NOW = sql`clock_timestamp()`

const LEASE_NAME = 'lists'

/** Elects the one instance that fetches, for as long as its process lives. Each new holder gets a higher token. */
export function createLease({ connect, leaseMs, instance }: { connect: Connect; leaseMs: number; instance: string }) {
  let fencingToken: number | null = null
  let renewalTimer: NodeJS.Timeout | undefined
  const { fencingToken: token, leaseUntil } = feedLeader

  /** Takes or renews the lease, and returns its token, or null while another instance has it. */
  async function acquireLease(): Promise<number | null> {
    const db = await connect()
    const [ownLease] = await db
      .insert(feedLeader)
      .values({
        name: LEASE_NAME,
        instance,
        fencingToken: sql`(extract(epoch from ${DATABASE_NOW}) * 1000)::bigint`,
        leaseUntil: sql`${DATABASE_NOW} + ${leaseMs}::int * interval '1 millisecond'`,
      })
      .onConflictDoUpdate({
        target: feedLeader.name,
        set: {
          instance,
          fencingToken: sql`case when ${leaseUntil} > ${DATABASE_NOW} then ${token}
            else greatest(${token} + 1, excluded.token) end`,
          leaseUntil: sql`excluded.until`,
        },
        setWhere: sql`${feedLeader.instance} = excluded.instance or ${leaseUntil} <= ${DATABASE_NOW}`,
      })
      .returning({ token })
    fencingToken = ownLease?.token ?? null
    clearInterval(renewalTimer)
    // Two renewals may fail before the lease ends.
    if (fencingToken !== null)
      renewalTimer = setInterval(() => void acquireLease().catch(() => {}), leaseMs / 3).unref()
    return fencingToken
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
        .then((db) => db.update(feedLeader).set({ leaseUntil: DATABASE_NOW }).where(eq(feedLeader.instance, instance)))
        .catch(() => {})
    },
  }
}

/** Creates the SQL condition that the lease with this token has not ended. */
export function createLeaseCondition(instance: string, token: number) {
  const { fencingToken, leaseUntil } = feedLeader
  return and(
    eq(feedLeader.name, LEASE_NAME),
    eq(feedLeader.instance, instance),
    eq(fencingToken, token),
    gt(leaseUntil, DATABASE_NOW),
  )
}

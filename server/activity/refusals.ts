import 'server-only'
import { and, eq, gte, sql } from 'drizzle-orm'
import type { Connect } from '@/server/db/database'
import { activity as log } from '@/server/db/schema'
import type { Logger } from '@/server/logger'
import { createRecent } from '@/server/recent'
import type { Activity } from './activity'

type RefusalParts = {
  connect: Connect
  activity: Pick<Activity, 'recordIn'>
  now: () => number
  logger: Pick<Logger, 'warn'>
}

const HOUR_MS = 3_600_000
const MOST_KNOWN = 5_000

/**
 * Enters in the log that somebody asked for what they may not have: once for each person, method, route and hour, whichever
 * instances they asked. `route` is a pattern, never what was asked for.
 */
export function createRefusals({ connect, activity, now, logger }: RefusalParts) {
  const known = createRecent<true>(MOST_KNOWN)
  return (userId: string, method: string, route: string): void => {
    const at = now()
    const hour = Math.floor(at / HOUR_MS)
    const key = `${userId} ${method} ${route} ${hour}`
    if (known.get(key)) return
    known.set(key, true)
    const details = { method, route }
    const same = and(
      eq(log.userId, userId),
      eq(log.action, 'refused'),
      gte(log.at, new Date(hour * HOUR_MS)),
      sql`${log.details} = ${JSON.stringify(details)}::jsonb`,
    )
    const enter = async () =>
      (await connect()).transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.refused'), hashtext(${userId}))`)
        const [entered] = await tx.select({ id: log.id }).from(log).where(same).limit(1)
        if (!entered) await activity.recordIn(tx, { userId, action: 'refused', details, at: new Date(at) })
      })
    enter().catch((err: unknown) => {
      known.drop(key)
      logger.warn({ err }, 'a refusal could not be logged')
    })
  }
}

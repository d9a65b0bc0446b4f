import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { LeadList } from '@/lib/contract/lead'
import { MINUTE_MS } from '@/lib/time/durations'
import { preferences } from '@/server/base/schema'
import type { BaseServices } from '@/server/base/services'

/** A silence of this length ends a visit. */
const VISIT_GAP_MS = 30 * MINUTE_MS
/** A visit is written once in this time, however many automatic refreshes it has. */
const WRITE_INTERVAL_MS = MINUTE_MS

/** `previousSeenAt` is the end of the visit before this one, null at the first. */
const visitSchema = z.object({ lastSeenAt: z.number(), previousSeenAt: z.number().nullable() })

/** Makes the row of `preferences` for a first visit; times are in ms. */
export function createFirstVisit(userId: string, list: LeadList, lastSeenAt: number) {
  return { userId, name: `visit:${list}`, value: { lastSeenAt, previousSeenAt: null } }
}

/** Records visits of the lists. During a database outage it repeats the last cached answer, or returns null. */
export function createVisits({ connect, now, onUnreachable }: BaseServices) {
  const cache = new Map<string, { writtenAt: number; lastEnd: number | null }>()
  const { name, value } = preferences

  async function readLastEnd(userId: string, list: LeadList, mode: 'record' | 'find'): Promise<number | null> {
    const firstVisit = createFirstVisit(userId, list, now())
    const { lastSeenAt } = firstVisit.value
    const key = `${userId} ${list}`
    const cached = cache.get(key)
    if (cached && lastSeenAt - cached.writtenAt < WRITE_INTERVAL_MS) return cached.lastEnd
    // The database works out whether this is a new visit, so that two tabs cannot both begin it.
    const visit = sql`jsonb_build_object('lastSeenAt', ${lastSeenAt}::bigint, 'previousSeenAt', ${value} -> case
      when (${value} ->> 'lastSeenAt')::bigint < ${lastSeenAt - VISIT_GAP_MS}::bigint
      then 'lastSeenAt' else 'previousSeenAt' end)`.mapWith(value)
    try {
      const db = await connect()
      const onConflict = { target: [preferences.userId, name], set: { value: visit } }
      const isOfList = and(eq(preferences.userId, userId), eq(name, firstVisit.name))
      const [row] =
        mode === 'record'
          ? await db.insert(preferences).values(firstVisit).onConflictDoUpdate(onConflict).returning({ visit: value })
          : await db.select({ visit }).from(preferences).where(isOfList)
      const lastEnd = visitSchema.parse(row?.visit ?? firstVisit.value).previousSeenAt
      if (mode === 'record') cache.set(key, { writtenAt: lastSeenAt, lastEnd })
      return lastEnd
    } catch (error) {
      onUnreachable(error)
      return cached?.lastEnd ?? null
    }
  }

  return {
    /** `recordVisit` and `findLastEnd` return the end of the previous visit (ms), null at the first. */
    recordVisit: (userId: string, list: LeadList) => readLastEnd(userId, list, 'record'),
    findLastEnd: (userId: string, list: LeadList) => readLastEnd(userId, list, 'find'),
  }
}

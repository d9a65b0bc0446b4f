import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { LeadList } from '@/lib/contract/lead'
import { preferences } from '@/server/base/schema'
import type { BaseServices } from '@/server/base/services'

const VISIT_GAP_MS = 30 * 60_000
/** Within this time a visit is not written again, so that automatic refreshes do not write each time. */
const WRITE_EVERY_MS = 60_000

const visitSchema = z.object({ lastSeenAt: z.number(), previousSeenAt: z.number().nullable() })

/** Makes the row of `preferences` for a first visit; times are in ms. */
export function firstVisit(userId: string, list: LeadList, lastSeenAt: number) {
  return { userId, name: `visit:${list}`, value: { lastSeenAt, previousSeenAt: null } }
}

/** Records visits of the lists. During a database outage it repeats the last cached answer, or returns null. */
export function createVisits({ connect, now, onUnreachable }: BaseServices) {
  const cache = new Map<string, { writtenAt: number; lastEnd: number | null }>()
  const { name, value } = preferences

  const readLastEnd = async (isVisit: boolean, userId: string, list: LeadList): Promise<number | null> => {
    const row = firstVisit(userId, list, now())
    const { lastSeenAt } = row.value
    const gapBegan = lastSeenAt - VISIT_GAP_MS
    const key = `${userId} ${list}`
    const cached = cache.get(key)
    if (cached && lastSeenAt - cached.writtenAt < WRITE_EVERY_MS) return cached.lastEnd
    try {
      const db = await connect()
      if (!isVisit) {
        const ofList = and(eq(preferences.userId, userId), eq(name, row.name))
        const [stored] = await db.select({ value }).from(preferences).where(ofList)
        const visit = visitSchema.safeParse(stored?.value).data ?? row.value
        return visit.lastSeenAt < gapBegan ? visit.lastSeenAt : visit.previousSeenAt
      }
      // In a single statement, so that two tabs cannot both begin the new visit.
      const visited = sql`jsonb_build_object('lastSeenAt', ${lastSeenAt}::bigint, 'previousSeenAt', ${value} ->
        case when (${value} ->> 'lastSeenAt')::bigint < ${gapBegan}::bigint then 'lastSeenAt' else 'previousSeenAt' end)`
      const [stored] = await db
        .insert(preferences)
        .values(row)
        .onConflictDoUpdate({ target: [preferences.userId, name], set: { value: visited } })
        .returning({ value })
      const lastEnd = visitSchema.parse(stored?.value).previousSeenAt
      cache.set(key, { writtenAt: lastSeenAt, lastEnd })
      return lastEnd
    } catch (error) {
      onUnreachable(error)
      return cached?.lastEnd ?? null
    }
  }

  return {
    /** Returns the end of the previous visit (ms), null at the first. Half an hour of silence ends a visit. */
    recordVisit: (userId: string, list: LeadList) => readLastEnd(true, userId, list),
    findLastEnd: (userId: string, list: LeadList) => readLastEnd(false, userId, list),
  }
}

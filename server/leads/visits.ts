import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { LeadList } from '@/lib/contract/lead'
import type { Db } from '@/server/base/database'
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

  type ReadLastEnd = (db: Db, current: ReturnType<typeof firstVisit>, gapBegan: number) => Promise<number | null>

  const readUnlessCached = async (userId: string, list: LeadList, read: ReadLastEnd): Promise<number | null> => {
    const current = firstVisit(userId, list, now())
    const { lastSeenAt } = current.value
    const key = `${userId} ${list}`
    const cached = cache.get(key)
    if (cached && lastSeenAt - cached.writtenAt < WRITE_EVERY_MS) return cached.lastEnd
    try {
      return await read(await connect(), current, lastSeenAt - VISIT_GAP_MS)
    } catch (error) {
      onUnreachable(error)
      return cached?.lastEnd ?? null
    }
  }

  return {
    /** Returns the end of the previous visit (ms), null at the first. Half an hour of silence ends a visit. */
    recordVisit: (userId: string, list: LeadList) =>
      readUnlessCached(userId, list, async (db, current, gapBegan) => {
        const { lastSeenAt } = current.value
        // In a single statement, so that two tabs cannot both begin the new visit.
        const visited = sql`jsonb_build_object('lastSeenAt', ${lastSeenAt}::bigint, 'previousSeenAt', ${value} -> case
          when (${value} ->> 'lastSeenAt')::bigint < ${gapBegan}::bigint then 'lastSeenAt' else 'previousSeenAt' end)`
        const [stored] = await db
          .insert(preferences)
          .values(current)
          .onConflictDoUpdate({ target: [preferences.userId, name], set: { value: visited } })
          .returning({ value })
        const lastEnd = visitSchema.parse(stored?.value).previousSeenAt
        cache.set(`${userId} ${list}`, { writtenAt: lastSeenAt, lastEnd })
        return lastEnd
      }),
    /** Returns the same without recording a visit. */
    findLastEnd: (userId: string, list: LeadList) =>
      readUnlessCached(userId, list, async (db, current, gapBegan) => {
        const ofList = and(eq(preferences.userId, userId), eq(name, current.name))
        const [stored] = await db.select({ value }).from(preferences).where(ofList)
        const visit = visitSchema.safeParse(stored?.value).data ?? current.value
        return visit.lastSeenAt < gapBegan ? visit.lastSeenAt : visit.previousSeenAt
      }),
  }
}

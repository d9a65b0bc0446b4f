import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { LeadList } from '@/lib/contract/lead'
import type { Connect, Db } from '@/server/base/database'
import { listVisits } from '@/server/base/schema'

const VISIT_GAP_MS = 30 * 60_000
/** An automatic refresh must not write each time. */
const WRITE_EVERY_MS = 60_000

/** Visits of the lists. During a database outage (`onUnreachable`) the last answer is repeated. */
export function createVisits(options: {
  connect: Connect
  now: () => number
  onUnreachable: (error: unknown) => void
}) {
  const cache = new Map<string, { writtenAt: number; previous: number | null }>()
  const answer =
    (isVisit: boolean) =>
    async (userId: string, list: LeadList): Promise<number | null> => {
      const key = `${userId} ${list}`
      const now = options.now()
      const last = cache.get(key)
      if (last && now - last.writtenAt < WRITE_EVERY_MS) return last.previous
      try {
        const db = await options.connect()
        if (!isVisit) return await readLastEnded(db, userId, list, now)
        const previous = await recordVisit(db, userId, list, now)
        cache.set(key, { writtenAt: now, previous })
        return previous
      } catch (error) {
        options.onUnreachable(error)
        return last?.previous ?? null
      }
    }
  return {
    /** Returns the end of the previous visit (ms), null at the first. Half an hour of silence ends a visit. */
    visit: answer(true),
    lastEnded: answer(false),
  }
}

async function readLastEnded(db: Db, userId: string, list: LeadList, now: number): Promise<number | null> {
  const isIt = and(eq(listVisits.userId, userId), eq(listVisits.list, list))
  const [row] = await db.select().from(listVisits).where(isIt)
  if (!row) return null
  const hasEnded = row.lastSeenAt.getTime() < now - VISIT_GAP_MS
  return (hasEnded ? row.lastSeenAt : row.previousSeenAt)?.getTime() ?? null
}

/** In a single statement, so that two tabs cannot both begin the new visit. */
async function recordVisit(db: Db, userId: string, list: LeadList, now: number): Promise<number | null> {
  const at = new Date(now)
  const gapBegan = new Date(now - VISIT_GAP_MS)
  const { lastSeenAt, previousSeenAt } = listVisits
  const [row] = await db
    .insert(listVisits)
    .values({ userId, list, lastSeenAt: at })
    .onConflictDoUpdate({
      target: [listVisits.userId, listVisits.list],
      set: {
        previousSeenAt: sql`case when ${lastSeenAt} < ${gapBegan.toISOString()}::timestamptz then ${lastSeenAt} else ${previousSeenAt} end`,
        lastSeenAt: at,
      },
    })
    .returning({ previous: previousSeenAt })
  return row?.previous?.getTime() ?? null
}

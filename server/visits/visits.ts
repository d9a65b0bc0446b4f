import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { LeadList } from '@/lib/contract/lead'
import type { Connect, Db } from '@/server/db/db'
import { listVisits } from '@/server/db/schema'

export type Visits = {
  /**
   * Notes that the person looks at the list now and answers when the visit before this one ended (ms), null when this is the
   * first. A visit goes on until nothing was looked at for half an hour.
   */
  visit: (userId: string, list: LeadList) => Promise<number | null>
  /** The same answer as `visit` would give, for those who only count: it is no visit. */
  lastEnded: (userId: string, list: LeadList) => Promise<number | null>
}

const VISIT_GAP_MS = 30 * 60_000
/** Looks within a minute are one look: a list that refreshes by itself must not write each time. */
const WRITE_EVERY_MS = 60_000

type Known = { writtenAt: number; previous: number | null }

/** `onUnreachable` is told when the database cannot be reached; the last answer is then given again. */
export function createVisits(options: {
  connect: Connect
  now: () => number
  onUnreachable: (error: unknown) => void
}): Visits {
  const known = new Map<string, Known>()
  return {
    visit: async (userId, list) => {
      const key = `${userId} ${list}`
      const now = options.now()
      const last = known.get(key)
      if (last && now - last.writtenAt < WRITE_EVERY_MS) return last.previous
      try {
        const previous = await note(await options.connect(), userId, list, now)
        known.set(key, { writtenAt: now, previous })
        return previous
      } catch (error) {
        options.onUnreachable(error)
        return last?.previous ?? null
      }
    },
    lastEnded: async (userId, list) => {
      const now = options.now()
      const last = known.get(`${userId} ${list}`)
      if (last && now - last.writtenAt < WRITE_EVERY_MS) return last.previous
      try {
        return await readLastEnded(await options.connect(), userId, list, now)
      } catch (error) {
        options.onUnreachable(error)
        return last?.previous ?? null
      }
    },
  }
}

async function readLastEnded(db: Db, userId: string, list: LeadList, now: number): Promise<number | null> {
  const [row] = await db
    .select()
    .from(listVisits)
    .where(and(eq(listVisits.userId, userId), eq(listVisits.list, list)))
  if (!row) return null
  const hasEnded = row.lastSeenAt.getTime() < now - VISIT_GAP_MS
  return (hasEnded ? row.lastSeenAt : row.previousSeenAt)?.getTime() ?? null
}

/** In one statement, so that two tabs cannot both begin the new visit. */
async function note(db: Db, userId: string, list: LeadList, now: number): Promise<number | null> {
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

import 'server-only'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import type { LeadRef } from '@/lib/contract/lead'
import type { Connect, Db } from '@/server/base/database'
import { activity, type ActivityDetails } from '@/server/base/schema'
import type { Logger } from '@/server/base/logger'
import { createLruCache } from '@/server/base/lru-cache'
import { callerAddress } from '@/server/base/request-context'

export type Activity = ReturnType<typeof createActivity>

export function createActivity({ connect, now }: { connect: Connect; now: () => number }) {
  const recordIn = async (tx: Db, ...entries: ActivityEntry[]): Promise<void> => {
    if (entries.length === 0) return
    const rows = entries.map(({ userId, action, lead, details, address = callerAddress(), at }) => {
      const [leadKind, leadId] = [lead?.kind ?? null, lead?.id ?? null]
      return { at: at ?? new Date(now()), userId, action, leadKind, leadId, address, details: details ?? null }
    })
    await tx.insert(activity).values(rows)
  }
  return {
    recordIn,
    async record(...entries: ActivityEntry[]): Promise<void> {
      if (entries.length > 0) await recordIn(await connect(), ...entries)
    },
  }
}

export type ActivityEntry = {
  userId: string | null
  action: ActivityAction
  lead?: LeadRef
  /** Only ids, counts and settings: never a name, number or text of a lead. */
  details?: ActivityDetails
  address?: string | null
  at?: Date
}

type RefusalOptions = { activity: Pick<Activity, 'record'>; now: () => number; logger: Pick<Logger, 'warn'> }

/** Logs a refusal once per user, method, route and hour of this instance. `route` is a pattern. */
export function createRefusals({ activity: log, now, logger }: RefusalOptions) {
  const logged = createLruCache<true>(5_000)
  return (userId: string, method: string, route: string): void => {
    const key = `${userId} ${method} ${route} ${Math.floor(now() / 3_600_000)}`
    if (logged.get(key)) return
    logged.set(key, true)
    log.record({ userId, action: 'refused', details: { method, route } }).catch((err: unknown) => {
      logged.delete(key)
      logger.warn({ err }, 'a refusal could not be logged')
    })
  }
}

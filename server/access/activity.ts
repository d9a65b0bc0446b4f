import type { ActivityAction } from '@/lib/contract/activity-actions'
import type { LeadRef } from '@/lib/contract/lead'
import { HOUR_MS } from '@/lib/time/durations'
import type { Db } from '@/server/base/database'
import { createLruCache } from '@/server/base/lru-cache'
import { findCallerAddress } from '@/server/base/request-context'
import { activity as activityTable, type ActivityDetails } from '@/server/base/schema'
import type { BaseServices } from '@/server/base/services'

export type ActivityLog = ReturnType<typeof createActivityLog>

export type ActivityEntry = {
  userId: string | null
  action: ActivityAction
  lead?: LeadRef
  /** The details are ids, counts and settings, never a name, number or text of a lead. */
  details?: ActivityDetails
}

export function createActivityLog({ connect, now }: Pick<BaseServices, 'connect' | 'now'>) {
  const recordIn = async (tx: Db, ...entries: ActivityEntry[]) => {
    if (entries.length === 0) return
    const call = { loggedAt: new Date(now()), address: findCallerAddress() }
    const rows = entries.map(({ lead, ...entry }) => ({ ...call, ...entry, leadKind: lead?.kind, leadId: lead?.id }))
    await tx.insert(activityTable).values(rows)
  }
  return { recordIn, record: async (...entries: ActivityEntry[]) => recordIn(await connect(), ...entries) }
}

/** Logs a refusal once per user, method, route pattern and hour, so that a script cannot fill the log. */
export function createRefusalLog({ now, logger }: BaseServices, { record }: Pick<ActivityLog, 'record'>) {
  const loggedKeys = createLruCache<true>(5_000)
  return (userId: string, method: string, route: string) => {
    const key = `${userId} ${method} ${route} ${Math.floor(now() / HOUR_MS)}`
    if (loggedKeys.get(key)) return
    loggedKeys.set(key, true)
    const writing = record({ userId, action: 'refused', details: { method, route } })
    writing.catch((err: unknown) => logger.warn({ err }, 'a refusal could not be logged'))
  }
}

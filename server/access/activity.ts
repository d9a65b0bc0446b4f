import 'server-only'
import { sql } from 'drizzle-orm'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import type { Connect, Db } from '@/server/base/database'
import type { Logger } from '@/server/base/logger'
import { createLruCache } from '@/server/base/lru-cache'
import { isStorableText } from '@/server/base/parse-input'
import { findCallerAddress } from '@/server/base/request-context'
import { activity, type ActivityDetails } from '@/server/base/schema'

export type ActivityLog = ReturnType<typeof createActivityLog>

export type ActivityEntry = {
  userId: string | null
  action: ActivityAction
  lead?: LeadRef
  /** Only ids, counts and settings: never a name, number or text of a lead. */
  details?: ActivityDetails
  address?: string | null
  at?: Date
}

export function createActivityLog({ connect, now }: { connect: Connect; now: () => number }) {
  const recordIn = async (tx: Db, ...entries: ActivityEntry[]): Promise<void> => {
    if (entries.length === 0) return
    const rows = entries.map(({ userId, action, lead, details, address = findCallerAddress(), at }) => {
      const [leadKind, leadId] = [lead?.kind ?? null, lead?.id ?? null]
      return { at: at ?? new Date(now()), userId, action, leadKind, leadId, address, details: details ?? null }
    })
    await tx.insert(activity).values(rows)
  }
  return { recordIn, record: async (...entries: ActivityEntry[]) => recordIn(await connect(), ...entries) }
}

type LogDependencies = { now: () => number; logger: Pick<Logger, 'warn'> }

/** Logs a refusal once per user, method, route and hour of this instance. `route` is a pattern. */
export function createRefusalLog({ activity: log, now, logger }: LogDependencies & { activity: Pick<ActivityLog, 'record'> }) {
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

/**
 * Logs who has opened which leads. The entries are written every ten seconds, so that opening a lead neither waits for
 * the database nor fails without it.
 */
export function createLeadOpenings({ connect, now, logger }: LogDependencies & { connect: Connect }) {
  let pending = new Map<string, object>()
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    if (pending.size === 0) return
    const taken = pending
    pending = new Map()
    try {
      const db = await connect()
      await db.transaction(async (tx) => {
        // Once an hour for each user and lead, whichever instance they asked: the lock lets each see what the others entered.
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.opened'))`)
        await tx.execute(sql`
          insert into ${activity} (at, user_id, action, lead_kind, lead_id, address)
          select given.at, given.user_id, 'opened', given.kind, given.id, given.address
          from json_to_recordset(${JSON.stringify([...taken.values()])}::json)
            as given(user_id text, at timestamptz, kind text, id text, address text)
          where not exists (
            select 1 from ${activity} known where known.lead_kind = given.kind and known.lead_id = given.id
              and known.at > given.at - interval '1 hour' and known.user_id = given.user_id and known.action = 'opened')
          order by given.at`)
      })
    } catch (err) {
      // In a long database outage the latest openings are kept.
      pending = new Map([...taken, ...pending].slice(-20_000))
      logger.warn({ err }, 'who opened leads could not be logged; the next round tries again')
    }
  }
  return {
    add(userId: string, kind: LeadKind, ids: readonly string[]): void {
      for (const id of ids.filter(isStorableText)) {
        const key = `${userId} ${kind} ${id}`
        if (pending.has(key)) continue
        pending.set(key, { user_id: userId, at: new Date(now()).toISOString(), kind, id, address: findCallerAddress() })
      }
    },
    /** Calls are serialised: when it resolves, everything added before is written. */
    flush: () => (writing = writing.then(write)),
  }
}

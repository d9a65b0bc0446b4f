import { sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { isStorableText } from '@/server/base/parse-input'
import { findCallerAddress } from '@/server/base/request-context'
import { activity } from '@/server/base/schema'
import type { BaseServices } from '@/server/base/services'

const MAX_PENDING_OPENINGS = 20_000

/** Logs who opened which leads, by a periodic `flush`, so that opening a lead never waits for the database. */
export function createLeadOpenings({ connect, now, logger }: BaseServices) {
  let pending = new Map<string, object>()
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    if (pending.size === 0) return
    const batch = pending
    pending = new Map()
    try {
      const db = await connect()
      await db.transaction(async (tx) => {
        // An opening is logged once per hour, user and lead. The lock makes each instance see the rows of the others.
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.opened'))`)
        await tx.execute(sql`
          insert into ${activity} (at, user_id, action, lead_kind, lead_id, address)
          select opening.at, opening.user_id, 'opened', opening.kind, opening.id, opening.address
          from json_to_recordset(${JSON.stringify([...batch.values()])}::json)
            as opening(user_id text, at timestamptz, kind text, id text, address text)
          where not exists (
            select 1 from ${activity} known where known.lead_kind = opening.kind and known.lead_id = opening.id
              and known.at > opening.at - interval '1 hour' and known.user_id = opening.user_id and known.action = 'opened')
          order by opening.at`)
      })
    } catch (err) {
      // A repeated opening keeps its first time. In a long outage only the latest openings are kept.
      for (const [key, opening] of pending) if (!batch.has(key)) batch.set(key, opening)
      pending = new Map([...batch].slice(-MAX_PENDING_OPENINGS))
      logger.warn({ err }, 'who opened leads could not be logged; the next round tries again')
    }
  }
  return {
    add(userId: string, kind: LeadKind, ids: readonly string[]) {
      for (const id of ids.filter(isStorableText)) {
        const key = `${userId} ${kind} ${id}`
        if (pending.has(key)) continue
        pending.set(key, { user_id: userId, at: new Date(now()).toISOString(), kind, id, address: findCallerAddress() })
      }
    },
    /** Each call waits for the one before, and has tried to write everything that was added before it. */
    flush: () => (writing = writing.then(write)),
  }
}

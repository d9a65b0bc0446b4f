import 'server-only'
import { sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { Connect } from '@/server/base/database'
import { activity } from '@/server/base/schema'
import { isStorableText } from '@/server/base/parse-input'
import type { Logger } from '@/server/base/logger'
import { callerAddress } from '@/server/base/request-context'

type Opening = { user_id: string; at: string; kind: LeadKind; id: string; address: string | null }
type OpeningsOptions = { connect: Connect; now: () => number; logger: Pick<Logger, 'warn'> }

/**
 * Who has opened which leads, as entries of the log. They are written every ten seconds, so that opening a lead neither
 * waits for the database nor fails without it.
 */
export function createOpenings({ connect, now, logger }: OpeningsOptions) {
  let pending = new Map<string, Opening>()
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const taken = pending
    pending = new Map()
    try {
      if (taken.size === 0) return
      const openings = JSON.stringify([...taken.values()])
      const db = await connect()
      await db.transaction(async (tx) => {
        // Once an hour for each user and lead, whichever instance they asked: the lock lets each see what the others entered.
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.opened'))`)
        await tx.execute(sql`
          insert into ${activity} (at, user_id, action, lead_kind, lead_id, address)
          select given.at, given.user_id, 'opened', given.kind, given.id, given.address
          from json_to_recordset(${openings}::json)
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
        pending.set(key, { user_id: userId, at: new Date(now()).toISOString(), kind, id, address: callerAddress() })
      }
    },
    /** Calls are serialised: when it resolves, everything added before is written. */
    flush: () => (writing = writing.then(write)),
  }
}

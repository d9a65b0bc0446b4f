import 'server-only'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import type { LeadRef } from '@/lib/contract/lead'
import type { Connect, Db } from '@/server/db/database'
import { activity, type ActivityDetails } from '@/server/db/schema'
import { askingAddress } from './asked-from'

export type Activity = ReturnType<typeof createActivity>

/** The log of who did what. */
export function createActivity({ connect, now }: { connect: Connect; now: () => number }) {
  const recordIn = async (tx: Db, ...entries: ActivityEntry[]): Promise<void> => {
    if (entries.length === 0) return
    await tx.insert(activity).values(entries.map((entry) => rowOf(entry, new Date(now()))))
  }
  return {
    /** Within a transaction: what was done and its place in the log stand or fall together. */
    recordIn,
    async record(...entries: ActivityEntry[]): Promise<void> {
      if (entries.length > 0) await recordIn(await connect(), ...entries)
    },
  }
}

export type ActivityEntry = {
  /** Null when nobody is known, as after a failed sign-in with an unknown e-mail. */
  userId: string | null
  action: ActivityAction
  lead?: LeadRef
  /** Ids, counts and settings only: never a name, an address, a number or a text. */
  details?: ActivityDetails
  /** Where it came from, if not from where the request under way does. */
  address?: string | null
  /** When it was, if not now. */
  at?: Date
}

function rowOf({ userId, action, lead, details, address = askingAddress(), at }: ActivityEntry, now: Date) {
  const [leadKind, leadId] = [lead?.kind ?? null, lead?.id ?? null]
  return { at: at ?? now, userId, action, leadKind, leadId, details: details ?? null, address }
}

import 'server-only'
import type { LeadRef } from '@/lib/contract/lead'
import type { Connect } from '@/server/db/db'
import { activity, type ActivityDetails } from '@/server/db/schema'

export type ActivityAction =
  | 'sign-in'
  | 'sign-in-failed'
  | 'user-created'
  | 'user-changed'
  | 'invitation-accepted'
  | 'triage-changed'

export type ActivityEntry = {
  /** Null when nobody is known, as after a failed sign-in with an unknown e-mail. */
  userId: string | null
  action: ActivityAction
  lead?: LeadRef
  /** Ids, counts and settings only: never a name, an address, a number or a text. */
  details?: ActivityDetails
}
export type Activity = ReturnType<typeof createActivity>

/** The log of who did what. */
export function createActivity({ db, clock }: { db: Connect; clock: () => number }) {
  return {
    async record(...entries: ActivityEntry[]): Promise<void> {
      if (entries.length === 0) return
      await (await db()).insert(activity).values(entries.map((entry) => rowOf(entry, new Date(clock()))))
    },
  }
}

function rowOf({ userId, action, lead, details }: ActivityEntry, at: Date) {
  return { at, userId, action, leadKind: lead?.kind ?? null, leadId: lead?.id ?? null, details: details ?? null }
}

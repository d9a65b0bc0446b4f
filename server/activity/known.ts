import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import type { Db } from '@/server/db/database'
import { activity, users } from '@/server/db/schema'
import { exportsHolding } from '@/server/export/ask-exports'
import { isListedLead, type LeadParts } from '@/server/leads/select-leads'

/*
 * What an administrator asks the log by is written into it only where it names something that there is or was: anything else is
 * text of a request, which anybody may have put into a link, and the log cannot be changed afterwards.
 */

/** The id of somebody who has an account, or has done something that is in the log; else undefined. */
export async function knownUser(db: Db, id: string): Promise<string | undefined> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, id)).limit(1)
  if (user) return id
  const [entry] = await db.select({ id: activity.id }).from(activity).where(eq(activity.userId, id)).limit(1)
  return entry && id
}

/** The lead, where a list holds it, or the log or an export did; else undefined. */
export async function knownLead(
  db: Db,
  { feed }: Pick<LeadParts, 'feed'>,
  { kind, id }: LeadRef,
): Promise<LeadRef | undefined> {
  if (isListedLead({ feed }, { kind, id })) return { kind, id }
  const isAbout = and(eq(activity.leadKind, kind), eq(activity.leadId, id))
  const [entry] = await db.select({ id: activity.id }).from(activity).where(isAbout).limit(1)
  const isKnown = entry !== undefined || (await exportsHolding(db, kind, [id])).size > 0
  return isKnown ? { kind, id } : undefined
}

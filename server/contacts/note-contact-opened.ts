import 'server-only'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import type { Viewer } from '@/server/access/viewer'
import { activity } from '@/server/db/schema'
import { services } from '@/server/services'
import { isStorableText } from '@/server/http/storable-text'

const ONCE_IN_MS = 10 * 60_000

/** Logs that the viewer opened the contact of this lead, once in ten minutes: a screen that refreshes is one opening. */
export async function noteContactOpened(viewer: Viewer, lead: LeadRef): Promise<void> {
  const { connect, now, activity: log } = services()
  if (!isStorableText(lead.id)) return
  const isOpening = and(
    eq(activity.userId, viewer.id),
    gt(activity.at, new Date(now() - ONCE_IN_MS)),
    eq(activity.action, 'contact-opened'),
    eq(activity.leadKind, lead.kind),
    eq(activity.leadId, lead.id),
  )
  const db = await connect()
  await db.transaction(async (tx) => {
    // A page and its first request come together, and are one opening.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.opened'), hashtext(${viewer.id}))`)
    const [known] = await tx.select({ id: activity.id }).from(activity).where(isOpening).limit(1)
    if (!known) await log.recordIn(tx, { userId: viewer.id, action: 'contact-opened', lead })
  })
}

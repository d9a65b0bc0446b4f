import 'server-only'
import type { LeadList } from '@/lib/contract/lead'
import type { PurgeHold, PurgeHoldsAnswer } from '@/lib/contract/purge-hold'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { NotFoundError } from '@/server/errors'
import { services } from '@/server/services'
import { storedWatch } from './stored-watch'

const LISTS = ['asked-questions', 'declarations-of-interest'] as const

/** Lists that shrank so much that nothing is purged until an administrator agrees. */
export async function listPurgeHolds(viewer: Viewer): Promise<PurgeHoldsAnswer> {
  requirePermission(viewer, 'admin')
  const db = await services().connect()
  const holds: PurgeHold[] = []
  for (const list of LISTS) {
    const hold = await storedWatch.hold(db, list)
    if (hold) holds.push({ list, before: hold.before, now: hold.after, since: new Date(hold.since).toISOString() })
  }
  return { holds }
}

/** The administrator agrees that the list is right as it is; from now on it is measured against that. */
export async function agreeToPurge(viewer: Viewer, list: LeadList): Promise<PurgeHoldsAnswer> {
  requirePermission(viewer, 'admin')
  const { connect, now, activity } = services()
  const db = await connect()
  await db.transaction(async (tx) => {
    const hold = await storedWatch.hold(tx, list)
    if (hold === null) throw new NotFoundError()
    const known = await storedWatch.watch(tx, list)
    const watch = { size: hold.after, sizeAt: now(), checkedAt: known?.checkedAt ?? now() }
    await storedWatch.setWatch(tx, list, watch, now())
    await storedWatch.setHold(tx, list, null, now())
    const details = { list, before: hold.before, now: hold.after }
    await activity.recordIn(tx, { userId: viewer.id, action: 'purge-agreed', details })
  })
  return listPurgeHolds(viewer)
}

import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { changeTriage, type Following, isOnePart, type TriageBatch } from './change-triage'
import type { TriageOrder } from './triage-order'
import { undoToken } from './undo-token'

/**
 * Does what was ordered and tells the browsers of others; `undo` names the batch, null when nothing changed. What takes several
 * transactions waits for others of its like, so that none begins on what another may still take back.
 */
export async function carryOut(
  viewer: Viewer,
  { fields, targets, schools }: TriageOrder,
  following: Following = {},
): Promise<TriageBatch & { undo: string | null }> {
  const { connect, announcer, seal, bulkTurns } = services()
  const tell = (kind: LeadKind) => announcer.triage(kind, viewer.id, schools.get(kind) ?? [])
  const change = async () => changeTriage(await connect(), viewer.id, targets, fields, following)
  try {
    const batch = await (isOnePart(targets) ? change() : bulkTurns(change))
    for (const kind of new Set(batch.changed.map((one) => one.kind))) tell(kind)
    return { ...batch, undo: batch.logged && undoToken.make(seal, viewer.id, batch.logged) }
  } catch (error) {
    // Some of it may have been seen before it was taken back.
    for (const kind of schools.keys()) tell(kind)
    throw error
  }
}

import type { QueryClient } from '@tanstack/react-query'
import { isWriting } from '@/components/app/opening'
import { isQueue, type LeadItem } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { type LeadKey, leadKey } from '@/lib/leads/lead-key'
import { toStockholmDay } from '@/lib/time/stockholm'
import { type InboxStore, selectCursor } from './inbox-state'
import type { MoveActions } from './move-actions'

export const loadNextLead = () => import('./next-lead')

type LeadFlowServices = { moves: MoveActions; client: QueryClient; userId: string | undefined }

/** Creates the actions that go on to the next lead that waits, and back to a lead whose decision is undone. */
export function createLeadFlow(store: InboxStore, { moves, client, userId }: LeadFlowServices) {
  /** The lead that was closed because none is left. Its undo opens it again, unless the user has moved on since. */
  let lastClosedKey: LeadKey | null = null
  const openNext = async (key: LeadKey, justDecided: readonly LeadRef[]) => {
    const isLatest = moves.startAction()
    const wasWriting = isWriting()
    const { listOrQueue, filters, rows } = store.read()
    const { origin } = selectCursor(store.read())
    const { findNextLead } = await loadNextLead()
    const today = toStockholmDay(Date.now())
    const search = { today, userId, client, listOrQueue, query: filters.query, rows, justDecided }
    const next = await findNextLead(search, origin)
    const cursor = selectCursor(store.read())
    const hasBegunToWrite = isWriting() && !wasWriting
    // The user stays if they have begun something else meanwhile, or if leads may be left that were not searched.
    if (!isLatest() || cursor.key !== key || hasBegunToWrite || next === 'gave-up') return
    if (next !== 'none') return moves.moveTo(toLeadKey(next.item), next.index)
    lastClosedKey = cursor.openKey
    moves.closeLead()
  }
  return {
    /** Goes on if the user is at this lead. `justDecided` are done, too, though the rows may not show it yet. */
    goToNextLead: (item: LeadItem, justDecided: readonly LeadRef[] = []): void => {
      const key = toLeadKey(item)
      // Without an answer of the server the user stays at the lead.
      if (selectCursor(store.read()).key === key) openNext(key, justDecided).catch(() => {})
    },
    /** Goes back to a single lead of this list. After a decision about several leads the user stays. */
    returnToLead: ([lead, ...others]: readonly LeadRef[]): void => {
      moves.startAction()
      const { listOrQueue, rows, listState } = store.read()
      if (lead === undefined || others.length > 0) return
      if (!isQueue(listOrQueue) && lead.kind !== LISTS[listOrQueue].kind) return
      const key = leadKey(lead)
      const row = rows.indexOf(key)
      const index = row === -1 ? Math.max(0, selectCursor(store.read()).origin) : row
      const isStillClosed = listState.isClosed && listState.position?.key === key
      if (isStillClosed && lastClosedKey === key) moves.openRow(key, index)
      else moves.moveTo(key, index)
    },
  }
}

import type { QueryClient } from '@tanstack/react-query'
import { isWriting } from '@/components/app/opening'
import { isQueue, type LeadItem } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { type LeadKey, leadKey } from '@/lib/leads/lead-key'
import { stockholmDay } from '@/lib/time/stockholm'
import { type InboxStore, selectCursor } from './inbox-state'
import type { MoveActions } from './move-actions'

export const loadNextLead = () => import('./next-lead')

type FlowServices = { store: InboxStore; actions: MoveActions; client: QueryClient; userId: string | undefined }

/** Goes on to the next lead that waits, and back to a lead whose decision is undone. */
export function createLeadFlow({ store, actions, client, userId }: FlowServices) {
  /** It was closed because no other lead waits. */
  let closedLead: LeadKey | null = null
  const findAndOpenNext = async (id: LeadKey, justDecided: readonly LeadRef[]) => {
    const isLatest = actions.startAction()
    const wasWriting = isWriting()
    const { listOrQueue, filters, rows } = store.read()
    const { origin } = selectCursor(store.read())
    const { findNextLead } = await loadNextLead()
    const search = { userId, client, listOrQueue, query: filters.query, rows, justDecided }
    const found = await findNextLead({ ...search, today: stockholmDay(Date.now()) }, origin)
    const current = selectCursor(store.read())
    // The user stays where they have begun something else meanwhile.
    if (!isLatest() || current.id !== id || (isWriting() && !wasWriting) || found === 'too far') return
    if (found !== 'none') return actions.moveTo(toLeadKey(found.item), found.index)
    if (current.openId !== id) return
    closedLead = id
    actions.closeLead()
  }
  return {
    /** Goes on if the user is at this lead. Rows may not show yet that those in `justDecided` are done. */
    goToNextLead: (item: LeadItem, justDecided: readonly LeadRef[] = []): void => {
      const id = toLeadKey(item)
      if (selectCursor(store.read()).id === id) findAndOpenNext(id, justDecided).catch(() => {})
    },
    returnToLead: ([only, ...others]: readonly LeadRef[]): void => {
      actions.startAction()
      const { listOrQueue, rows } = store.read()
      if (only === undefined || others.length > 0) return
      if (!isQueue(listOrQueue) && only.kind !== LISTS[listOrQueue].kind) return
      const key = leadKey(only)
      const found = rows.indexOf(key)
      const index = found === -1 ? Math.max(0, selectCursor(store.read()).origin) : found
      if (closedLead === key) actions.openRow(key, index)
      else actions.moveTo(key, index)
    },
  }
}

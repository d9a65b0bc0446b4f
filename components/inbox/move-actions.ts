import type { QueryClient } from '@tanstack/react-query'
import { createRef } from 'react'
import type { useUrlState } from '@/components/app/url-state'
import { isQueue, PAGE_SIZE } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { toLeadKey, toLeadRef } from '@/lib/inbox/lead-text'
import { adaptListState, findNextRow, type ListEvent, type ListState, reduceListState } from '@/lib/inbox/list-state'
import { type LeadKey, parseLeadKey } from '@/lib/leads/lead-key'
import { type InboxStore, selectCursor } from './inbox-state'
import { fetchItems } from './list-rows'

type MoveServices = {
  client: QueryClient
  writeUrl: ReturnType<typeof useUrlState>['write']
  setListState: (listState: ListState) => void
}

export type MoveActions = ReturnType<typeof createMoveActions>

/** Creates the actions that move between leads. The open lead's id is in the URL, in a queue with its kind. */
export function createMoveActions(store: InboxStore, { client, writeUrl, setListState }: MoveServices) {
  const scroller = createRef<HTMLDivElement>()
  const focusList = () => scroller.current?.focus({ preventScroll: true })
  /** The place of the cursor's row is always rendered; its scroll margin also brings the rows beside it into sight. */
  const scrollToCursor = () => scroller.current?.querySelector('[data-at-cursor]')?.scrollIntoView({ block: 'nearest' })
  /** The history entry that opening a lead has added, and from which closing the lead goes back. */
  let openedEntryKey: string | null = null
  let actionCount = 0
  /** Returns a function that tells an action that had to wait whether it is still the newest. */
  const startAction = () => {
    actionCount += 1
    const action = actionCount
    return () => action === actionCount
  }
  const dispatch = (event: ListEvent, addressedKey = store.read().addressedKey) => {
    const state = store.read()
    const serverRow = addressedKey === state.addressedKey ? state.serverRow : undefined
    const nextState = { ...state, addressedKey, serverRow }
    const listState = adaptListState(reduceListState(state.listState, event), nextState)
    store.set({ ...nextState, listState })
    setListState(listState)
  }
  const clearAddress = () => {
    openedEntryKey = null
    if (store.read().addressedKey !== null) writeUrl({ lead: [] }, 'replace')
  }
  const openRow = (key: LeadKey, index: number) => {
    startAction()
    const { addressedKey, listOrQueue, rows } = store.read()
    dispatch({ kind: 'opened', key, index, query: rows.query }, key)
    // Opening a lead adds a history entry, and the next lead replaces it.
    writeUrl({ lead: [isQueue(listOrQueue) ? key : parseLeadKey(key).id] }, addressedKey === null ? 'push' : 'replace')
    if (addressedKey === null) openedEntryKey = readHistoryKey()
  }
  /** Moves the cursor to the lead, and opens it if another lead is open. */
  const moveTo = (key: LeadKey, index: number) => {
    if (selectCursor(store.read()).openKey !== null) return openRow(key, index)
    startAction()
    dispatch({ kind: 'moved', key, index, query: store.read().rows.query })
  }
  return {
    dispatch,
    startAction,
    openRow,
    moveTo,
    clearAddress,
    scroller,
    focusList,
    scrollToCursor,
    move: async (step: 1 | -1) => {
      const { rows, addressedKey, listOrQueue, filters } = store.read()
      // The list gets the focus, so that a screen reader follows.
      if (addressedKey === null) focusList()
      const index = Math.max(0, Math.min(rows.count - 1, findNextRow(selectCursor(store.read()), step)))
      const next = rows.rowAt(index)
      if (next !== undefined) return moveTo(toLeadKey(next), index)
      const isLatest = startAction()
      const offset = index - (index % PAGE_SIZE)
      const items = await fetchItems(client, listOrQueue, filters.query, offset).catch(() => [])
      const item = items[index - offset]
      if (item !== undefined && isLatest()) moveTo(toLeadKey(item), index)
    },
    /** Opens the lead at the cursor, or the first one. `request` begins to write about it, or about the open lead. */
    openOrWrite: (request?: (lead: LeadRef) => void) => {
      const { addressedKey, rows } = store.read()
      const { openKey, row } = selectCursor(store.read())
      // A wide screen shows the lead at the cursor without an address. If its row is known, opening it gives it one.
      const isOpenLeadMeant = addressedKey !== null || row === -1
      if (request && openKey !== null && isOpenLeadMeant) return request(parseLeadKey(openKey))
      const index = Math.max(0, row)
      const item = rows.rowAt(index)
      if (item === undefined) return
      request?.(toLeadRef(item))
      openRow(toLeadKey(item), index)
    },
    closeLead: () => {
      const { addressedKey } = store.read()
      if (selectCursor(store.read()).openKey === null) return
      dispatch({ kind: 'closed' }, null)
      focusList()
      const isOwnEntry = openedEntryKey !== null && openedEntryKey === readHistoryKey()
      openedEntryKey = null
      if (addressedKey === null) return
      if (isOwnEntry) history.back()
      else writeUrl({ lead: [] }, 'replace')
    },
  }
}

/**
 * Returns null in older browsers, which have no `navigation`: closing a lead then replaces the entry instead of going
 * back.
 */
function readHistoryKey(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}

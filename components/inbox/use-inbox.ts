import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { createContext, createRef, useContext, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useUrlState } from '@/components/app/url-state'
import { useIsWide } from '@/components/ui/browser-state'
import { createExternalStore } from '@/components/ui/external-store'
import { isQueue, leadPositionQuery, type ListOrQueue, parseLeadParam, showNewLeads } from '@/lib/api/leads'
import { listCountsQuery } from '@/lib/api/queries'
import { LISTS } from '@/lib/contract/lists'
import { omitSort } from '@/lib/inbox/filter-params'
import { adaptListState, createListState, findOpenLead } from '@/lib/inbox/list-state'
import type { LeadKey } from '@/lib/leads/lead-key'
import { type InboxDialog, type InboxState, selectCursor, selectMarks } from './inbox-state'
import { useListFilters } from './list-filters'
import { type ListRows, useListRows } from './list-rows'
import { createMarkActions } from './mark-actions'
import { createMoveActions } from './move-actions'
import { useDecide } from './use-decide'

export type InboxContextValue = ReturnType<typeof useInboxState>

export const InboxContext = createContext<InboxContextValue | null>(null)

export function useInbox() {
  const inbox = useContext(InboxContext)
  if (inbox === null) throw new Error('useInbox is used outside InboxContext')
  return inbox
}

/** Builds the inbox's state from the URL, the server's rows and what the user has done, and creates its actions. */
export function useInboxState(listOrQueue: ListOrQueue) {
  const t = useTranslations('inbox.marked')
  const client = useQueryClient()
  const { searchParams, write: writeUrl } = useUrlState()
  const { filters, actions: filterActions } = useListFilters(listOrQueue)
  const { query } = filters
  const [offsets, setOffsets] = useState([0])
  const [areRowsFrozen, setRowsFrozen] = useState(false)
  const rows = useListRows(listOrQueue, query, offsets, areRowsFrozen)
  const description = isQueue(listOrQueue) ? null : LISTS[listOrQueue]
  // A queue has no counts, so its query is disabled, whatever list it names.
  const countsQuery = listCountsQuery(description?.list ?? 'asked-questions', omitSort(query))
  const { data: counts, isError: haveCountsFailed } = useQuery({ ...countsQuery, enabled: description !== null })
  const [dialog, showDialog] = useState<InboxDialog | null>(null)
  const [changingCount, setChangingCount] = useState<number | null>(null)
  const isWide = useIsWide()
  const addressedKey = parseLeadParam(listOrQueue, searchParams.get('lead'))
  const filterKey = JSON.stringify(omitSort(query))
  const [storedState, setListState] = useState(() => createListState(filterKey))
  const serverRow = useServerRow(listOrQueue, rows, addressedKey ?? findOpenLead(storedState, isWide))
  const listState = adaptListState(storedState, { addressedKey, rows, serverRow, filterKey, isWide })
  // The state is set while rendering, so that no frame shows a position among the previous rows.
  if (listState !== storedState) setListState(listState)
  const state: InboxState = {
    listOrQueue,
    description,
    filters,
    filterKey,
    addressedKey,
    rows,
    serverRow,
    areRowsFrozen,
    counts,
    haveCountsFailed,
    listState,
    dialog,
    changingCount,
    isWide,
  }
  // The actions keep their identity while the state changes, so that rows need not render again: they read the state
  // when they are called.
  const [store] = useState(() => createExternalStore(state))
  useLayoutEffect(() => store.set(state))
  const listActions = useMemo(() => {
    const moves = createMoveActions(store, { client, writeUrl, setListState })
    return {
      ...filterActions,
      ...moves,
      ...createMarkActions(store, { moves, client, t, showDialog }),
      showDialog,
      setChangingCount,
      setRowsFrozen,
      setOffsets: (next: number[]) => setOffsets((last) => (last.join() === next.join() ? last : next)),
      searchField: createRef<HTMLInputElement>(),
      showNewLeads: () => {
        showNewLeads(client, store.read().listOrQueue, store.read().filters.query)
        moves.focusList()
      },
    }
  }, [store, client, writeUrl, filterActions, t])
  const cursor = selectCursor(state)
  const decisions = useDecide(store, listActions, cursor.key)
  const actions = useMemo(() => ({ ...listActions, ...decisions }), [listActions, decisions])
  const { clearAddress } = listActions
  useEffect(() => {
    if (listState.isLost) clearAddress()
  }, [listState.isLost, clearAddress])
  return { ...state, cursor, marks: selectMarks(state), actions }
}

/**
 * Returns the row of a lead that is not among the loaded rows: null if the list lacks it; undefined if it is loaded, or
 * not yet known.
 */
function useServerRow(listOrQueue: ListOrQueue, rows: ListRows, key: LeadKey | null): number | null | undefined {
  const { data, isOfPreviousQuery, query } = rows
  const isRowUnknown = key !== null && data !== undefined && !isOfPreviousQuery && rows.indexOf(key) === -1
  const { data: page } = useQuery(
    isRowUnknown ? leadPositionQuery(listOrQueue, query, key) : { queryKey: ['no-position'], queryFn: skipToken },
  )
  return isRowUnknown ? page?.place : undefined
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { createContext, createRef, useContext, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useIsWide } from '@/components/ui/browser-tab'
import { createShownState } from '@/components/ui/shown-state'
import { useUrlState } from '@/components/app/url-state'
import { isQueue, parseLeadParam, leadPositionQuery, type ListOrQueue, showNewLeads } from '@/lib/api/leads'
import { listCountsQuery } from '@/lib/api/queries'
import { LISTS } from '@/lib/contract/lists'
import { withoutSort } from '@/lib/inbox/filter-params'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { createListState, findOpenLead, adaptToSurroundings } from '@/lib/inbox/list-state'
import type { LeadKey } from '@/lib/leads/lead-key'
import { cursorIn, type InboxDialog, type InboxState } from './inbox-state'
import { useListFilters } from './list-filters'
import { type ListRows, useListRows } from './list-rows'
import { createMarks, createMoves } from './move-and-mark'
import { useDecide } from './use-decide'

export type Acts = ReturnType<typeof useInboxState>['acts']

export const InboxContext = createContext<(InboxState & { acts: Acts }) | null>(null)

/** What the screen is made of, and what a user can do in it. */
export function useInbox() {
  const inbox = useContext(InboxContext)
  if (inbox === null) throw new Error('No inbox')
  return inbox
}

/** Gathers what the screen is made of: the address, the server's rows and the user's place among them. */
export function useInboxState(place: ListOrQueue) {
  const t = useTranslations('inbox.marked')
  const client = useQueryClient()
  const { search: address, write } = useUrlState()
  const { filters, acts: filterActs } = useListFilters(place)
  const { query } = filters
  const [offsets, setOffsets] = useState<readonly number[]>([0])
  const [isHeld, setHeld] = useState(false)
  const rows = useListRows(place, query, offsets, isHeld)
  const countedList = isQueue(place) ? 'asked-questions' : place
  const { data: counts } = useQuery({ ...listCountsQuery(countedList, withoutSort(query)), enabled: !isQueue(place) })
  const [dialog, showDialog] = useState<InboxDialog | null>(null)
  const [changing, setChanging] = useState<number | null>(null)
  const isWide = useIsWide()

  const addressed = parseLeadParam(place, address.get('lead'))
  const filter = JSON.stringify({ place, ...query, sort: null })
  const [kept, setList] = useState(() => createListState(filter))
  const serverRow = useServerRow(place, rows, addressed ?? findOpenLead(kept, isWide))
  const around = { addressed, rows, serverRow, filter, isWide }
  const list = adaptToSurroundings(kept, around)
  // Kept while rendering, so that no frame shows a place among the rows of before.
  if (list !== kept) setList(list)

  const description = isQueue(place) ? null : LISTS[place]
  const state: InboxState = { ...around, place, description, filters, counts, list, dialog, changing, isHeld }
  // The actions never change identity; they read the current state when called, so that list rows need not render again.
  const [latest] = useState(() => createShownState(state))
  useLayoutEffect(() => latest.show(state))
  const listActs = useMemo(() => {
    const moves = createMoves(latest, { client, write, setList })
    return {
      ...filterActs,
      ...moves,
      ...createMarks(latest, moves, client, t),
      showDialog,
      setChanging,
      setHeld,
      setOffsets: (next: readonly number[]) => setOffsets((before) => (before.join() === next.join() ? before : next)),
      searchField: createRef<HTMLInputElement>(),
      showWaiting: () => {
        showNewLeads(client, latest.read().place, latest.read().filters.query)
        moves.focusList()
      },
    }
  }, [latest, client, write, filterActs, t])
  const decisions = useDecide(latest, listActs, cursorIn(state))
  const acts = useMemo(() => ({ ...listActs, ...decisions, latest }), [listActs, decisions, latest])
  const { forgetChosen } = listActs
  useEffect(() => {
    if (list.isLost) forgetChosen()
  }, [list.isLost, forgetChosen])
  return { state, acts }
}

/** The row of an open lead that is not loaded, by the server: null when it is not in the list, undefined till then. */
function useServerRow(place: ListOrQueue, rows: ListRows, key: LeadKey | null): number | null | undefined {
  const { data, isPrevious, query } = rows
  const isAsked = key !== null && data !== undefined && !isPrevious && rows.indexOf(key) === -1
  const onFirst = data?.items.findIndex((item) => toLeadKey(item) === key) ?? -1
  const isWhole = data !== undefined && data.items.length >= data.total
  const { data: serverRow } = useQuery({
    ...leadPositionQuery(place, query, key ?? 'asked-question '),
    enabled: isAsked && !isWhole && onFirst === -1,
  })
  if (!isAsked) return undefined
  if (onFirst !== -1) return onFirst
  return isWhole ? null : serverRow?.place
}

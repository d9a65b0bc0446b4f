import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import {
  type Context,
  createContext,
  createRef,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { useIsWide } from '@/components/ui/browser-tab'
import { createShownState } from '@/components/ui/shown-state'
import { useUrlState } from '@/components/app/url-state'
import { readOwnChanges, useListCounts } from '@/components/app/use-triage'
import { isQueue, keyInAddress, leadPage, leadPlace, PAGE_SIZE, type Place, showWaiting } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { filterOf } from '@/lib/inbox/filter-params'
import { keyOf, kindOf } from '@/lib/inbox/lead-text'
import { firstState, listAfter, type ListEvent, openedIn, settled, stepFrom } from '@/lib/inbox/list-state'
import { foldPage } from '@/lib/inbox/own-changes'
import { type LeadKey, refOf } from '@/lib/leads/lead-key'
import { cursorIn, type InboxDialog, type InboxState, type Latest } from './inbox-state'
import type { QueueParts } from './lead-row'
import { useListFilters } from './list-filters'
import { JUST_READ_MS, type ListRows, useListRows } from './list-rows'
import { useDecide } from './use-decide'

export type Acts = ReturnType<typeof useInboxState>['acts']

const StateContext = createContext<InboxState | null>(null)
const ActsContext = createContext<Acts | null>(null)
export { ActsContext, StateContext }

function useValue<Value>(context: Context<Value | null>): Value {
  const value = useContext(context)
  if (value === null) throw new Error('No inbox')
  return value
}

/** What a part shows of the inbox. */
export const useInbox = <Part>(take: (state: InboxState) => Part): Part => take(useValue(StateContext))

/** What a user can do in a list. The acts never change identity: each reads what is on screen when it is called. */
export const useActs = (): Acts => useValue(ActsContext)

/** Gathers what the screen is made of: the address, the server's rows and the user's place among them. */
export function useInboxState(place: Place, queue: QueueParts | null) {
  const { search, write } = useUrlState()
  const { filters, acts: filterActs } = useListFilters(place, queue?.queryOf)
  const { query } = filters
  const [offsets, setOffsets] = useState<readonly number[]>([0])
  const [isHeld, setHeld] = useState(false)
  const rows = useListRows(place, query, offsets, isHeld)
  const counts = useListCounts(isQueue(place) ? 'asked-questions' : place, filterOf(query), !isQueue(place))
  const [dialog, ask] = useState<InboxDialog | null>(null)
  const [changing, setChanging] = useState<number | null>(null)
  const isWide = useIsWide()

  const addressed = keyInAddress(place, search.get('lead'))
  const filter = JSON.stringify({ place, ...query, sort: null })
  const [kept, setList] = useState(() => firstState(filter))
  const unplaced = settled(kept, { addressed, rows, serverRow: undefined, filter, isWide })
  const serverRow = useServerRow(place, rows, openedIn(unplaced, isWide))
  const list = settled(kept, { addressed, rows, serverRow, filter, isWide })
  // Kept while rendering, so that no frame shows a place among the rows of before.
  if (list !== kept) setList(list)

  const around = { addressed, rows, serverRow, filter, isWide }
  const state: InboxState = { ...around, place, queue, filters, counts, list, dialog, changing }
  // The acts read what is on screen when they are called.
  const [latest] = useState(() => createShownState(state))
  useLayoutEffect(() => latest.show(state))
  const client = useQueryClient()
  const t = useTranslations('inbox.marked')
  const moves = useMemo(() => {
    const show = (next: InboxState) => {
      latest.show(next)
      setList(next.list)
    }
    return createMoves(latest, { client, write, show })
  }, [latest, client, write, setList])
  const marking = useMemo(() => createMarks(latest, moves, { client, t }), [latest, moves, client, t])
  const decide = useDecide(latest, cursorIn(state), { ...moves, ...marking, ask, setChanging })
  const acts = useMemo(
    () => ({
      ...filterActs,
      ...moves,
      ...marking,
      decide,
      ask,
      read: latest.read,
      searchField: createRef<HTMLInputElement>(),
      setOffsets: (next: readonly number[]) => setOffsets((before) => (before.join() === next.join() ? before : next)),
      setHeld,
      showWaiting: () => {
        showWaiting(client, latest.read().place, latest.read().filters.query)
        moves.focusList()
      },
    }),
    [latest, filterActs, moves, marking, decide, client],
  )
  useEffect(() => {
    if (list.isLost) moves.forgetChosen()
  }, [list.isLost, moves])
  return { state, acts }
}

/** The row of an open lead that is not loaded, by the server: null when it is not in the list, undefined till then. */
function useServerRow(place: Place, rows: ListRows, key: LeadKey | null): number | null | undefined {
  const { data, isPrevious, query } = rows
  const isAsked = key !== null && data !== undefined && !isPrevious && rows.indexOf(key) === -1
  const onFirst = data?.items.findIndex((item) => keyOf(item) === key) ?? -1
  const isWhole = data !== undefined && data.items.length >= data.total
  const { data: serverRow } = useQuery({
    ...leadPlace(place, query, key ?? NO_LEAD),
    enabled: isAsked && !isWhole && onFirst === -1,
  })
  if (!isAsked) return undefined
  if (onFirst !== -1) return onFirst
  return isWhole ? null : serverRow?.place
}

export const NO_LEAD = 'asked-question '

type MoveServices = {
  client: QueryClient
  write: ReturnType<typeof useUrlState>['write']
  show: (next: InboxState) => void
}

/** The ways from lead to lead. The chosen one stands in the address, in a queue with its kind. */
function createMoves(latest: Latest, { client, write, show }: MoveServices) {
  const scroller = createRef<HTMLDivElement>()
  const focusList = () => scroller.current?.focus({ preventScroll: true })
  /** The step in the history that opening a lead was: closing it goes back there. */
  let opening: { entry: string | null; search: string } | null = null
  const act = (event: ListEvent, addressed = latest.read().addressed) => {
    const state = latest.read()
    const serverRow = addressed === state.addressed ? state.serverRow : undefined
    const around = { ...state, addressed, serverRow }
    show({ ...around, list: settled(listAfter(state.list, event), around) })
  }
  const forgetChosen = () => {
    opening = null
    if (latest.read().addressed !== null) write({ lead: [] }, 'replace')
  }
  /** Counts the ways taken, so that one that had to wait for its page does not come after a later one. */
  let turns = 0
  const openAt = (id: LeadKey, index: number) => {
    turns += 1
    const { addressed, place, rows, filters } = latest.read()
    act({ kind: 'opened', id, index, query: rows.query }, id)
    // Opening is a step in the history, going from lead to lead is none.
    write({ lead: [isQueue(place) ? id : refOf(id).id] }, addressed === null ? 'push' : 'replace')
    if (addressed === null) opening = { entry: historyEntry(), search: filters.search }
  }
  const goTo = (id: LeadKey, index: number) => {
    if (cursorIn(latest.read()).openId !== null) return openAt(id, index)
    turns += 1
    act({ kind: 'moved', id, index, query: latest.read().rows.query })
  }
  /** To a place whose page is to be fetched first. */
  const goToRow = async (index: number) => {
    const turn = ++turns
    const { place, filters } = latest.read()
    const offset = index - (index % PAGE_SIZE)
    const page = await client.fetchQuery({ ...leadPage(place, filters.query, offset), staleTime: JUST_READ_MS })
    const item = foldPage(readOwnChanges(client), page).items[index - offset]
    if (item !== undefined && turn === turns) goTo(keyOf(item), index)
  }
  return {
    act,
    openAt,
    /** Opens it if a lead is open. */
    goTo,
    forgetChosen,
    scroller,
    focusList,
    move: (step: 1 | -1) => {
      const { rows, addressed } = latest.read()
      const cursor = cursorIn(latest.read())
      const index = Math.max(0, Math.min(rows.count - 1, stepFrom(cursor, step)))
      const next = rows.rowAt(index)
      if (next === undefined) goToRow(index).catch(() => {})
      else goTo(keyOf(next), index)
      // So that a screen reader follows; with a lead chosen, the focus stays with the lead.
      if (addressed === null) focusList()
    },
    /** About the lead that the keys are at; where they are nowhere yet, about the first of the list. */
    begin: (what?: (lead: LeadRef) => void) => {
      const index = Math.max(0, cursorIn(latest.read()).row)
      const item = latest.read().rows.rowAt(index)
      if (item === undefined) return
      what?.({ kind: kindOf(item), id: item.id })
      openAt(keyOf(item), index)
    },
    close: () => {
      const { addressed, filters } = latest.read()
      if (cursorIn(latest.read()).openId === null) return
      act({ kind: 'closed' }, null)
      focusList()
      // Going back must not bring back an older search than the one on screen.
      const isOurStep = opening !== null && opening.entry !== null && opening.entry === historyEntry()
      const isBack = addressed !== null && isOurStep && opening?.search === filters.search
      opening = null
      if (isBack) window.history.back()
      else if (addressed !== null) write({ lead: [] }, 'replace')
    },
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}

type MarkServices = { client: QueryClient; t: ReturnType<typeof useTranslations<'inbox.marked'>> }

function createMarks(latest: Latest, { act, forgetChosen }: ReturnType<typeof createMoves>, services: MarkServices) {
  /** Marks and an open lead exclude each other. */
  const mark = (event: ListEvent | undefined) => {
    if (event === undefined) return
    forgetChosen()
    act(event, null)
  }
  const source = () => ({ ...services, state: latest.read() })
  const markRange = async (id: LeadKey, index: number, start?: number) => {
    const { rangeTo } = await import('./leads-of-list')
    mark(await rangeTo(source(), id, index, start))
  }
  const markRow = (id: LeadKey, index: number, isRange: boolean) => {
    const { rows, list } = latest.read()
    if (isRange && list.marks.anchor !== null) void markRange(id, index)
    else mark({ kind: 'toggled', id, index, shown: rows.items().map(keyOf) })
  }
  return {
    mark: markRow,
    markHere: (isRange: boolean) => {
      const { id, row, from } = cursorIn(latest.read())
      if (id !== null) markRow(id, row === -1 ? from : row, isRange)
    },
    /** Of a list what matches is marked, whatever it is; of a queue the leads that are shown. */
    markAll: () => {
      const { place, rows } = latest.read()
      const first = rows.rowAt(0)
      if (!isQueue(place)) mark({ kind: 'all-marked' })
      else if (first !== undefined) void markRange(keyOf(first), 0, rows.count - 1)
    },
    /** All that the list shows. Undefined where they are too many or cannot be read, which the user is told. */
    allKeys: async () => {
      const { keysBetween } = await import('./leads-of-list')
      return keysBetween(source(), 0, latest.read().rows.count - 1)
    },
    choose: () => mark({ kind: 'choosing' }),
    unmark: () => act({ kind: 'unmarked' }),
  }
}

/** Writes about the chosen lead, or about the one that the keys are at, which is chosen by that. */
export function beginWriting({ begin, read }: Acts, request: (lead: LeadRef) => void): void {
  const { openId, row } = cursorIn(read())
  if (openId === null || (read().addressed === null && row !== -1)) begin(request)
  else request(refOf(openId))
}

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import {
  createContext,
  createRef,
  type Dispatch,
  type SetStateAction,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { createShownState, isSame, type ShownState, useShown } from '@/components/browser/shown-state'
import { useUrlState } from '@/components/browser/url-state'
import { requestReply } from '@/components/contact/reply-request'
import { useCurrentUser } from '@/components/desk/current-user'
import { useListCounts, usePending } from '@/components/triage/use-pending'
import { useTriage } from '@/components/triage/use-triage'
import { isQueue, keyInAddress, leadPage, leadPlace, PAGE_SIZE, type Place, showWaiting } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { filterOf } from '@/lib/inbox/filter-params'
import { keyOf } from '@/lib/inbox/lead-text'
import { firstState, listAfter, type ListEvent, stepFrom } from '@/lib/inbox/list-state'
import { type LeadKey, refOf } from '@/lib/leads/lead-key'
import { createDecide, type DecideServices } from './decide'
import { cursorIn, type InboxDialog, type InboxState } from './inbox-state'
import type { QueueParts } from './lead-row'
import { useListFilters } from './list-filters'
import { JUST_READ_MS, type ListRows, useListRows } from './list-rows'

const InboxContext = createContext<{ inbox: Inbox; acts: Acts } | null>(null)
export const InboxProvider = InboxContext.Provider

function useContextOfInbox() {
  const context = useContext(InboxContext)
  if (context === null) throw new Error('InboxProvider is missing')
  return context
}

/** What a part shows of the inbox, taken by a function of its state that stays the same. */
export function useInbox<Part>(take: (state: InboxState) => Part): Part {
  return useShown(useContextOfInbox().inbox, take)
}

/** They stay the same, and read what is on screen when they are called. */
export function useActs(): Acts {
  return useContextOfInbox().acts
}

/** Gathers what the screen is made of: the address, the server's rows and the user's place among them. */
export function useInboxState(place: Place, queue: QueueParts | null, several: Services['several']) {
  const { search, write } = useUrlState()
  const { filters, acts: ofFilters } = useListFilters(place, queue?.queryOf)
  const { query } = filters
  const [offsets, setOffsets] = useState<readonly number[]>([0])
  const [isHeld, setHeld] = useState(false)
  const rows = useListRows(place, query, offsets, isHeld)
  const counts = useListCounts(isQueue(place) ? 'asked-questions' : place, filterOf(query), !isQueue(place))
  const gathered = { place, queue, filters, rows, counts }

  const addressed = keyInAddress(place, search.get('lead'))
  const filter = JSON.stringify({ place, ...query, sort: null })
  const [inbox] = useState((): Inbox => {
    const list = firstState(addressed, rows.query, filter)
    return createShownState<InboxState>({ ...gathered, list, serverRow: undefined, dialog: null, changing: null })
  })
  const kept = useSyncExternalStore(
    inbox.subscribe,
    () => inbox.read().list,
    () => inbox.first.list,
  )
  const following = listAfter(kept, { is: 'addressed', id: addressed, query: rows.query })
  const serverRow = useServerRow(place, rows, following.openId)
  const list = listAfter(listAfter(following, { is: 'filtered', filter }), { is: 'arrived', rows, serverRow })

  const { readPending } = usePending()
  const [client, triage, user] = [useQueryClient(), useTriage(), useCurrentUser()]
  const t = useTranslations('inbox.marked')
  const acts = useMemo(
    () =>
      createActs(inbox, {
        client,
        readPending,
        triage,
        user,
        several,
        filters: ofFilters,
        write,
        t,
        setHeld,
        setOffsets,
      }),
    [inbox, client, readPending, triage, user, several, ofFilters, write, t],
  )
  // Before the browser draws, so that all parts show one moment. An act meanwhile goes first: the next rendering follows it.
  useLayoutEffect(() => {
    const before = inbox.read()
    const next = { ...before, ...gathered, ...(before.list === kept && { list, serverRow }) }
    if (!isSame(before, next)) inbox.show(next)
    if (next.list.isLost && !before.list.isLost) acts.dropFromAddress()
  })
  return useMemo(() => ({ inbox, acts }), [inbox, acts])
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

type Inbox = ShownState<InboxState>

type Services = DecideServices & {
  client: QueryClient
  filters: ReturnType<typeof useListFilters>['acts']
  write: ReturnType<typeof useUrlState>['write']
  t: ReturnType<typeof useTranslations<'inbox.marked'>>
  setHeld: (isHeld: boolean) => void
  setOffsets: Dispatch<SetStateAction<readonly number[]>>
}

export type Acts = ReturnType<typeof createActs>

/** What a user can do in a list. Each act reads what is on screen at its moment. */
function createActs(inbox: Inbox, services: Services) {
  const [panes, scroller] = [createRef<HTMLDivElement>(), createRef<HTMLDivElement>()]
  const focusList = () => scroller.current?.focus({ preventScroll: true })
  const ask = (dialog: InboxDialog | null) => inbox.show({ ...inbox.read(), dialog })
  const address = createAddress(inbox, services.write)
  const moves = createMoves(inbox, { ...services, address }, focusList)
  const marks = createMarks(inbox, services, moves.act)
  const { client } = services
  const decide = createDecide(inbox, services, { ...moves, unmark: marks.unmark, ask, scroller, panes })
  return {
    read: inbox.read,
    subscribe: inbox.subscribe,
    ...services.filters,
    ...moves,
    ...marks,
    decide,
    ask,
    panes,
    scroller,
    searchField: createRef<HTMLInputElement>(),
    focusList,
    dropFromAddress: address.drop,
    setOffsets: (next: readonly number[]) =>
      services.setOffsets((before) => (before.join() === next.join() ? before : next)),
    setHeld: services.setHeld,
    showWaiting: () => {
      const { place, filters } = inbox.read()
      showWaiting(client, place, filters.query)
      focusList()
    },
  }
}

type Address = ReturnType<typeof createAddress>

function createMoves(inbox: Inbox, services: Services & { address: Address }, focusList: () => void) {
  const { read, show } = inbox
  const act = (event: ListEvent | undefined) => {
    if (event === undefined) return
    const before = read()
    const list = listAfter(before.list, event)
    const { openId } = before.list
    if (list.openId === openId) return show({ ...before, list })
    show({ ...before, list, serverRow: undefined })
    services.address.follow(openId, list.openId, event.is === 'closed')
  }
  /** Counts the ways taken, so that one that had to wait for its page does not come after a later one. */
  let turns = 0
  const go = (is: 'opened' | 'moved') => (id: LeadKey, index: number) => {
    turns += 1
    act({ is, id, index, query: read().rows.query })
  }
  const [openAt, goTo] = [go('opened'), go('moved')]
  /** At a place whose page is to be fetched first. */
  const goToRow = async (index: number) => {
    const turn = ++turns
    const item = await fetchRow(read(), services, index)
    if (item !== undefined && turn === turns) goTo(keyOf(item), index)
  }
  return {
    act,
    openAt,
    /** Opens it if a lead is open. */
    goTo,
    move: (step: 1 | -1) => {
      const state = read()
      const index = Math.max(0, Math.min(state.rows.count - 1, stepFrom(cursorIn(state), step)))
      const next = state.rows.rowAt(index)
      if (next === undefined) goToRow(index).catch(() => {})
      else goTo(keyOf(next), index)
      // So that a screen reader follows; with a lead open, the focus stays with the lead.
      if (state.list.openId === null) focusList()
    },
    /** About the lead that the keys are at; where they are nowhere yet, about the first of the list. */
    begin: (what?: (lead: LeadRef) => void) => {
      const state = read()
      const index = Math.max(0, cursorIn(state).row)
      const item = state.rows.rowAt(index)
      if (item === undefined) return
      const key = keyOf(item)
      what?.(refOf(key))
      openAt(key, index)
    },
    close: () => {
      if (read().list.openId === null) return
      act({ is: 'closed' })
      focusList()
    },
  }
}

async function fetchRow({ place, filters }: InboxState, { client, readPending }: Services, index: number) {
  const offset = index - (index % PAGE_SIZE)
  const page = await client.fetchQuery({ ...leadPage(place, filters.query, offset), staleTime: JUST_READ_MS })
  return readPending().page(page).items[index - offset]
}

/** The open lead in the URL, in a queue with its kind. Opening is a step in the history, going from lead to lead is none. */
function createAddress({ read }: Inbox, write: Services['write']) {
  let step: { entry: string | null; search: string } | null = null
  /** Because another list or marks take its place: no step back, since nobody went anywhere. */
  const drop = () => {
    step = null
    write({ lead: [] }, 'replace')
  }
  const close = () => {
    // Going back must not bring back an older search or filter than the one on screen.
    const isOurStep = step !== null && step.entry !== null && step.entry === historyEntry()
    if (!isOurStep || step?.search !== read().filters.search) return drop()
    step = null
    window.history.back()
  }
  return {
    drop,
    follow: (before: LeadKey | null, next: LeadKey | null, isClosed: boolean) => {
      if (next === null) return isClosed ? close() : drop()
      const written = { lead: [isQueue(read().place) ? next : refOf(next).id] }
      if (before !== null) return write(written, 'replace')
      write(written, 'push')
      step = { entry: historyEntry(), search: read().filters.search }
    },
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}

function createMarks({ read }: Inbox, { client, t, several }: Services, act: (event: ListEvent | undefined) => void) {
  const range = async (id: LeadKey, index: number, from?: number) => {
    const state = read()
    act(await (await several.want())?.rangeTo({ client, state, t }, id, index, from))
  }
  const mark = (id: LeadKey, index: number, isRange: boolean) => {
    const { rows, list } = read()
    if (isRange && list.marks.anchor !== null) void range(id, index)
    else act({ is: 'toggled', id, index, shown: rows.items().map(keyOf) })
  }
  return {
    mark,
    markHere: (isRange: boolean) => {
      const { id, row } = cursorIn(read())
      if (id !== null && row !== -1) mark(id, row, isRange)
    },
    /** Of a list what matches is marked, whatever it is; of a queue the leads that are shown. */
    markAll: () => {
      const { place, rows } = read()
      const first = rows.rowAt(0)
      if (!isQueue(place)) act({ is: 'allMarked' })
      else if (first !== undefined) void range(keyOf(first), 0, rows.count - 1)
    },
    /** All that the list shows. Undefined where they are too many or cannot be read, which the user is told. */
    allKeys: async () => {
      const state = read()
      return (await several.want())?.keysBetween({ client, state, t }, 0, state.rows.count - 1)
    },
    choose: () => act({ is: 'choosing' }),
    unmark: () => act({ is: 'unmarked' }),
  }
}

export function beginReply({ begin }: Acts, openId: LeadKey | null): void {
  if (openId === null) begin(requestReply)
  else requestReply(refOf(openId))
}

import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTitleCount } from '@/components/browser/browser-tab'
import { requestReply } from '@/components/contact/reply-request'
import { useCommands } from '@/components/desk/commands'
import { usePublishList } from '@/components/desk/current-list'
import { isQueue, type LeadListQuery, type Place } from '@/lib/api/leads'
import { useListCounts } from '@/components/triage/use-pending'
import type { LeadRef, LeadStatus, Triage } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { filterOf } from '@/lib/inbox/filter-params'
import { keyOf } from '@/lib/inbox/lead-text'
import { refOf } from '@/lib/leads/lead-key'
import type { TriagedLead } from '@/lib/inbox/undo-steps'
import { type HeavyDecision, type PutAside, useDecide } from './decide'
import { useListFilters } from './list-filters'
import type { LeadsOfList } from './leads-of-list'
import { type ListRows, useFreshRows, useListRows } from './list-rows'
import { severalCode, useLeadAddress, useListState } from './use-list-state'

export function useInbox(place: Place) {
  const list = isQueue(place) ? null : place
  const filters = useListFilters(place)
  const { query } = filters
  const address = useLeadAddress(place, filters.search)
  const [dialog, setDialog] = useState<InboxDialog | null>(null)
  const places = useFocusPlaces()
  const { scroller, focusList } = places
  const view = useView()
  const rows = useListRows(place, query, view.offsets, view.isHeld)
  const counts = useListCounts(list ?? 'asked-questions', filterOf(query), list !== null)
  const fresh = useFreshRows(rows, query, counts)
  const { listKey, showWaiting } = useListKey(rows, query, focusList)
  const { cursor, marked, openId, ...state } = useListState(place, query, rows, address)
  const close = () => openId !== null && (state.close(), focusList())
  const ask = (is: 'confirm' | 'drafts') => (question: HeavyDecision) => setDialog({ is, ...question })
  const asking = { ask: ask('confirm'), askDrafts: ask('drafts') }
  const decide = useDecide({ place, query, rows, cursor, openId, marked, scroller, close, ...asking })
  useTitleCount(rows.waiting)
  usePublishList(list, query)

  const inbox = {
    place,
    /** Null in a queue. */
    description: list && LISTS[list],
    /** Whose words and row height it has. */
    words: list ?? ('queue' as const),
    filters,
    counts,
    rows,
    fresh,
    cursor,
    marked,
    decide,
    openId,
    listKey,
    ...places,
    dialog,
    setDialog,
    view,
    close,
    ask: asking.ask,
    showWaiting,
    exportAll: async () => setDialog((await (await severalCode.want())?.exportOf(list, query, rows, marked)) ?? null),
  }
  useInboxCommands(inbox)
  return inbox
}

export type InboxState = ReturnType<typeof useInbox>

type InboxDialog =
  | { is: 'assign'; leads: readonly TriagedLead[] }
  | { is: 'assign-all'; count: number; onAssign: (assignee: Triage['assignee']) => void }
  | { is: 'export' | 'copy-emails'; of: readonly LeadsOfList[] }
  | ({ is: 'confirm' | 'drafts' } & HeavyDecision)
  | ({ is: 'put-aside' } & PutAside)
  | { is: 'save-view' }

function useFocusPlaces() {
  const scroller = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const focusList = () => scroller.current?.focus({ preventScroll: true })
  return { scroller, searchField, focusList }
}

/** Names the list: another one (a filter, an order, waiting leads shown) is read from its top. */
function useListKey(rows: ListRows, query: LeadListQuery, focusList: () => void) {
  const [times, setTimes] = useState(0)
  const showWaiting = () => {
    rows.showWaiting()
    setTimes(times + 1)
    focusList()
  }
  return { listKey: `${JSON.stringify(query)} ${times}`, showWaiting }
}

/** The page hears of a tap only after the finger has left. */
const TAP_MS = 400

/** Which pages are in sight; and whether rows are pointed at: then none moves (`inTheirPlaces`). Keys and scrolling let go. */
function useView() {
  const [offsets, setOffsets] = useState<readonly number[]>([0])
  const [isHeld, setHeld] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hold = (is: boolean, afterMs = 0) => {
    clearTimeout(timer.current)
    if (afterMs === 0) setHeld(is)
    else timer.current = setTimeout(() => setHeld(is), afterMs)
  }
  useEffect(() => {
    if (!isHeld) return
    const letGo = () => setHeld(false)
    for (const event of LETTING_GO) window.addEventListener(event, letGo, { capture: true, passive: true })
    return () => {
      for (const event of LETTING_GO) window.removeEventListener(event, letGo, { capture: true })
    }
  }, [isHeld])
  useEffect(() => () => clearTimeout(timer.current), [])
  const ofMouse = (is: boolean) => (event: PointerEvent) => event.pointerType === 'mouse' && hold(is)
  const ofFinger = (is: boolean, afterMs?: number) => (event: PointerEvent) =>
    event.pointerType !== 'mouse' && hold(is, afterMs)
  const held = {
    onPointerMove: ofMouse(true),
    onPointerLeave: ofMouse(false),
    onPointerDown: ofFinger(true),
    onPointerUp: ofFinger(false, TAP_MS),
    onPointerCancel: ofFinger(false),
  }
  return { offsets, isHeld, setOffsets, held }
}

const LETTING_GO = ['keydown', 'scroll', 'blur']

/** What keys and palette do in a list. While all that match are marked, the bulk bar's own commands decide instead. */
function useInboxCommands(inbox: InboxState): void {
  const { filters, rows, cursor, marked, decide, openId, searchField, setDialog, focusList, close, exportAll } = inbox
  const isThere = rows.count > 0
  // Rows of the filter before are on their way out: what is decided about is what stays.
  const hasTarget = !rows.isPrevious && !marked.isAll && (marked.isAny || openId !== null || cursor.index !== -1)
  const onTarget = (run: () => void) => (hasTarget ? run : undefined)
  const set = (status: LeadStatus) => onTarget(() => decide.aboutTargets({ status }))
  const move = (step: 1 | -1) => () => {
    cursor.move(step)
    // So that a screen reader follows; with a lead open, the focus stays with the lead.
    if (openId === null) focusList()
  }
  const { id } = cursor
  const mark = (isRange: boolean) =>
    cursor.index === -1 || id === null ? undefined : () => marked.mark(id, cursor.index, isRange)
  useCommands({
    reply: rows.isPrevious || marked.isAny ? undefined : beginReply(inbox),
    next: isThere ? move(1) : undefined,
    previous: isThere ? move(-1) : undefined,
    open: marked.isAny ? undefined : beginAt(inbox),
    back: marked.isMarking ? marked.clear : openId === null ? undefined : close,
    handled: set('handled'),
    inProgress: onTarget(() => decide.aboutTargets(decide.taken)),
    renew: set('new'),
    dismissed: set('dismissed'),
    assign: onTarget(() => {
      const leads = decide.targets()
      if (leads.length > 0) setDialog({ is: 'assign', leads })
    }),
    followUp: onTarget(() => {
      const putAside = decide.putAside()
      if (putAside.count > 0) setDialog({ is: 'put-aside', ...putAside })
    }),
    undo: decide.undo,
    mark: mark(false),
    markRange: mark(true),
    markAll: isThere ? marked.markAll : undefined,
    export: isThere ? () => void exportAll() : undefined,
    search: () => searchField.current?.select(),
    clear: filters.isFiltered ? filters.clear : undefined,
    ...(inbox.description && {
      saveView: () => setDialog({ is: 'save-view' }),
      onlyNew: () => filters.set({ status: ['new'] }),
      onlyMine: () => filters.set({ assignee: ['me'] }),
    }),
  })
}

/** About the open lead, or the one that the keys are at; where they are nowhere yet, about the first of the list. */
function beginReply(inbox: InboxState): (() => void) | undefined {
  const { openId } = inbox
  return openId === null ? beginAt(inbox, requestReply) : () => requestReply(refOf(openId))
}

function beginAt({ cursor, rows }: InboxState, begin?: (lead: LeadRef) => void): (() => void) | undefined {
  const index = Math.max(0, cursor.index)
  const item = rows.rowAt(index)
  if (item === undefined) return undefined
  const key = keyOf(item)
  return () => {
    begin?.(refOf(key))
    cursor.openAt(key, index)
  }
}

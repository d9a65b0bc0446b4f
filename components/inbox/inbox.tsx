'use client'

import { memo, type PointerEvent, useEffect, useRef } from 'react'
import { useTitleCount } from '@/components/ui/browser-tab'
import { useIdleLoading } from '@/components/app/idle-loading'
import { requestNote, requestReply } from '@/components/contact/reply-request'
import { useCommands } from '@/components/app/commands'
import { usePublishList } from '@/components/app/current-list'
import { lazyDialog, lazyPart, optionalPart } from '@/components/app/lazy-part'
import { PartBoundary } from '@/components/app/part-failure'
import { LeadPane, loadWriting, NothingOpen } from '@/components/lead/lead-pane'
import type { Place } from '@/lib/api/leads'
import { ApiError } from '@/lib/api/send'
import type { LeadStatus } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { refOf } from '@/lib/leads/lead-key'
import { cursorIn, descriptionIn, type InboxState, marksIn } from './inbox-state'
import type { QueueParts } from './lead-row'
import { LeadRows, loadFoundLead, LoadingRows } from './lead-rows'
import { FilterChips, FilterPanel, ListHeader } from './list-header'
import { ActsContext, beginWriting, NO_LEAD, StateContext, useActs, useInbox, useInboxState } from './use-inbox'

const bulk = () => import('./bulk-bar')
const BulkBar = lazyPart(async () => (await bulk()).BulkBar)
const MarkedSummary = lazyPart(async () => (await bulk()).MarkedSummary)
const NoRows = lazyPart(async () => (await import('./no-rows')).NoRows, <LoadingRows />)
const foot = () => import('./list-foot')
const ListFoot = optionalPart(async () => (await foot()).ListFoot)
const CursorWords = optionalPart(async () => (await foot()).CursorWords)
const dialogs = () => import('./inbox-dialogs')
const InboxDialogs = lazyDialog(async () => (await dialogs()).InboxDialogs)
const loadDialogs = async () => (await dialogs()).loadDialogs()

const AHEAD = {
  soon: [],
  later: [
    loadWriting,
    NoRows.load,
    loadFoundLead,
    BulkBar.load,
    InboxDialogs.load,
    loadDialogs,
    FilterPanel.load,
    FilterChips.load,
  ],
}

export function Inbox({ place, queue = null }: { place: Place; queue?: QueueParts | null }) {
  const { state, acts } = useInboxState(place, queue)
  useIdleLoading(AHEAD)
  return (
    <ActsContext value={acts}>
      <StateContext value={state}>
        <div className="inbox-panes">
          <PartBoundary>
            <ListPane isCovered={state.addressed !== null} isMarking={marksIn(state).isMarking} />
          </PartBoundary>
          <Lead />
          <Commands />
          {state.dialog && <InboxDialogs onClose={() => acts.ask(null)} />}
        </div>
      </StateContext>
    </ActsContext>
  )
}

const ListPane = memo(function ListPane({ isCovered, isMarking }: { isCovered: boolean; isMarking: boolean }) {
  const held = useHold(useActs().setHeld)
  return (
    <section data-covered={isCovered} className="list-pane">
      <ListHeader />
      <div className="relative flex min-h-0 flex-1 flex-col low:flex-none" {...held}>
        <Rows />
      </div>
      <ListFoot />
      {isMarking && <BulkBar />}
    </section>
  )
})

/** The page hears of a tap only after the finger has left. */
const TAP_MS = 400

/** While rows are pointed at none moves (`inTheirPlaces`). Keys and scrolling end that. */
function useHold(setHeld: (isHeld: boolean) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const letGo = () => setHeld(false)
    const events = ['keydown', 'scroll', 'blur'] as const
    for (const event of events) window.addEventListener(event, letGo, { capture: true, passive: true })
    return () => events.forEach((event) => window.removeEventListener(event, letGo, { capture: true }))
  }, [setHeld])
  const isMouse = ({ pointerType }: PointerEvent) => pointerType === 'mouse'
  const hold = (isHeld: boolean, delayMs = 0) => {
    clearTimeout(timer.current)
    if (delayMs === 0) setHeld(isHeld)
    else timer.current = setTimeout(() => setHeld(isHeld), delayMs)
  }
  return {
    onPointerMove: (event: PointerEvent) => isMouse(event) && hold(true),
    onPointerLeave: (event: PointerEvent) => isMouse(event) && hold(false),
    onPointerDown: (event: PointerEvent) => !isMouse(event) && hold(true),
    onPointerUp: (event: PointerEvent) => !isMouse(event) && hold(false, TAP_MS),
    onPointerCancel: () => hold(false),
  }
}

const everything = (state: InboxState) => state

function Rows() {
  const { count, data, isPrevious, error } = useInbox(everything).rows
  if (count > 0) return <LeadRows />
  // Not before the answer to what is asked now: the one before may have been empty.
  if (data !== undefined && !isPrevious) return <NoRows failure={null} />
  return error instanceof ApiError ? <NoRows failure={error.kind} /> : <LoadingRows />
}

function Lead() {
  const state = useInbox(everything)
  const { decide, move, close } = useActs()
  const { openId, openItem, hasPrevious, hasNext, apart } = cursorIn(state)
  const { kind, id } = refOf(openId ?? NO_LEAD)
  return (
    <>
      <LeadPane
        description={LISTS_BY_KIND[kind]}
        id={openId && id}
        isChosen={state.addressed !== null}
        listed={openItem}
        onPrevious={hasPrevious ? () => move(-1) : undefined}
        onNext={hasNext ? () => move(1) : undefined}
        onClose={close}
        onStatus={(item, status) => decide.one(item, { status })}
        onTake={(item) => decide.one(item, decide.taken)}
        onAssign={decide.askAssign}
        onPutAside={decide.askPutAside}
        onBack={(item) => decide.one(item, { snoozeUntil: null })}
        onNoted={decide.noted}
        onLeave={decide.leave}
        onGoBack={decide.goBack}
        apart={apart}
        instead={marksIn(state).isAny ? <MarkedSummary /> : state.rows.count > 0 && <NothingOpen />}
      />
      <output className="sr-only">{openItem !== undefined && <CursorWords item={openItem} />}</output>
    </>
  )
}

/** What keys and palette do in a list, and what the tab's title says of it. */
function Commands() {
  const state = useInbox(everything)
  const { filters, rows, changing } = state
  const acts = useActs()
  const { decide } = acts
  const { id, row, openId } = cursorIn(state)
  const { isAny, isMarking } = marksIn(state)
  const [description, isThere, isOpen] = [descriptionIn(state), rows.count > 0, openId !== null]
  const canBegin = rows.rowAt(Math.max(0, row)) !== undefined
  const mayWrite = !rows.isPrevious && !isAny && (isOpen || canBegin)
  // Rows of the filter before are on their way out: what is decided about is what stays.
  const hasTarget = !rows.isPrevious && changing === null && (isAny || isOpen || row !== -1)
  const when = (isPossible: boolean, run: () => unknown) => (isPossible ? () => void run() : undefined)
  const set = (status: LeadStatus) => when(hasTarget, () => decide.targets({ status }))
  useTitleCount(rows.waiting)
  usePublishList(description && description.list, filters.query)
  useCommands({
    reply: when(mayWrite, () => beginWriting(acts, requestReply)),
    note: when(mayWrite, () => beginWriting(acts, requestNote)),
    next: when(isThere, () => acts.move(1)),
    previous: when(isThere, () => acts.move(-1)),
    open: when(!isAny && canBegin, () => acts.begin()),
    back: isMarking ? acts.unmark : when(isOpen, acts.close),
    handled: set('handled'),
    inProgress: when(hasTarget, () => decide.targets(decide.taken)),
    renew: set('new'),
    dismissed: set('dismissed'),
    assign: when(hasTarget, () => decide.askAssign()),
    followUp: when(hasTarget, () => decide.askPutAside()),
    undo: decide.undo,
    mark: when(id !== null, () => acts.markHere(false)),
    markRange: when(id !== null, () => acts.markHere(true)),
    markAll: when(isThere, acts.markAll),
    export: when(isThere, async () => (await dialogs()).takeLeads(acts, 'export', !isAny)),
    search: () => acts.searchField.current?.select(),
    clear: when(filters.isFiltered, acts.clearFilters),
  })
  return null
}

'use client'

import { type PointerEvent, useEffect, useRef } from 'react'
import { useTitleCount } from '@/components/ui/browser-tab'
import { requestNote, requestWriting } from '@/components/contact/reply-request'
import { useCommands } from '@/components/app/commands'
import { usePublishList } from '@/components/app/current-list'
import { lazyDialog, lazyPart, optionalPart, useIdleLoading } from '@/components/app/lazy-part'
import { PartBoundary } from '@/components/app/part-failure'
import { LeadPane, loadWriting, NothingOpen } from '@/components/lead/lead-pane'
import type { ListOrQueue } from '@/lib/api/leads'
import { ApiError } from '@/lib/api/send'
import type { LeadStatus } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { parseLeadKey } from '@/lib/leads/lead-key'
import { cursorIn, type InboxState, marksIn } from './inbox-state'
import { LeadRows, loadFoundLead, LoadingRows } from './lead-rows'
import { FilterChips, FilterPanel, ListHeader } from './list-header'
import { type Acts, InboxContext, useInbox, useInboxState } from './use-inbox'

const bulk = () => import('./bulk-bar')
const BulkBar = lazyPart(async () => (await bulk()).BulkBar)
const MarkedSummary = lazyPart(async () => (await bulk()).MarkedSummary)
const NoRows = lazyPart(async () => (await import('./no-rows')).NoRows, <LoadingRows />)
const foot = () => import('./list-foot')
const ListFoot = optionalPart(async () => (await foot()).ListFoot)
const CursorWords = optionalPart(async () => (await foot()).CursorWords)
const dialogs = () => import('./inbox-dialogs')
const InboxDialogs = lazyDialog(async () => (await dialogs()).InboxDialogs)

const AHEAD = [
  loadWriting,
  NoRows.load,
  loadFoundLead,
  BulkBar.load,
  InboxDialogs.load,
  async () => (await dialogs()).loadDialogs(),
  FilterPanel.load,
  FilterChips.load,
]

export function Inbox({ place }: { place: ListOrQueue }) {
  const { state, acts } = useInboxState(place)
  useInboxCommands(state, acts)
  useIdleLoading(AHEAD)
  const { addressed, rows, dialog } = state
  const { openId, openItem, hasPrevious, hasNext, apart } = cursorIn(state)
  const lead = openId === null ? null : parseLeadKey(openId)
  return (
    <InboxContext value={{ ...state, acts }}>
      <div className="inbox-panes">
        <PartBoundary>
          <ListPane />
        </PartBoundary>
        <LeadPane
          description={LISTS_BY_KIND[lead?.kind ?? 'asked-question']}
          id={lead && lead.id}
          isChosen={addressed !== null}
          listed={openItem}
          onPrevious={hasPrevious ? () => void acts.move(-1) : undefined}
          onNext={hasNext ? () => void acts.move(1) : undefined}
          onClose={acts.close}
          onStatus={(item, status) => acts.decideOne(item, { status })}
          onTake={(item) => acts.decideOne(item, acts.taken)}
          onAssign={acts.askAssign}
          onPutAside={acts.askPutAside}
          onBack={(item) => acts.decideOne(item, { snoozeUntil: null })}
          onNoted={acts.noteAttempt}
          onLeave={acts.leaveLead}
          onGoBack={acts.returnToLead}
          apart={apart}
          instead={marksIn(state).isAny ? <MarkedSummary /> : rows.count > 0 && <NothingOpen />}
        />
        <output className="sr-only">{openItem !== undefined && <CursorWords item={openItem} />}</output>
        {dialog && <InboxDialogs onClose={() => acts.showDialog(null)} />}
      </div>
    </InboxContext>
  )
}

/** The click event of a tap comes up to this long after the finger has left. */
const TAP_MS = 400

function ListPane() {
  const inbox = useInbox()
  const { addressed, rows, acts } = inbox
  const { setHeld } = acts
  // While the user points at rows none of them moves (`inTheirPlaces`). Keys and scrolling end that.
  const afterTap = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hold = (isHeld: boolean) => {
    clearTimeout(afterTap.current)
    setHeld(isHeld)
  }
  useEffect(() => {
    const unmount = new AbortController()
    const letGo = () => setHeld(false)
    for (const event of ['keydown', 'scroll'])
      window.addEventListener(event, letGo, { capture: true, passive: true, signal: unmount.signal })
    window.addEventListener('blur', letGo, { signal: unmount.signal })
    return () => unmount.abort()
  }, [setHeld])
  const isMouse = ({ pointerType }: PointerEvent) => pointerType === 'mouse'
  // The list is called empty only once the current query is answered.
  const isAnswered = !rows.isPrevious && (rows.data !== undefined || rows.error instanceof ApiError)
  return (
    <section data-covered={addressed !== null} className="list-pane">
      <ListHeader />
      <div
        className="relative flex min-h-0 flex-1 flex-col low:flex-none"
        onPointerMove={(event) => isMouse(event) && hold(true)}
        onPointerLeave={(event) => isMouse(event) && hold(false)}
        onPointerDown={() => hold(true)}
        onPointerUp={(event) => {
          if (!isMouse(event)) afterTap.current = setTimeout(() => setHeld(false), TAP_MS)
        }}
        onPointerCancel={() => hold(false)}
      >
        {rows.count > 0 && <LeadRows />}
        {rows.count === 0 && (isAnswered ? <NoRows /> : <LoadingRows />)}
      </div>
      <ListFoot />
      {marksIn(inbox).isMarking && <BulkBar />}
    </section>
  )
}

/** What keys and palette do in a list, and what the tab's title says of it. */
function useInboxCommands(state: InboxState, acts: Acts): void {
  const { description, filters, rows, changing } = state
  const { id, row, openId } = cursorIn(state)
  const { isAny, isMarking } = marksIn(state)
  const [isThere, isOpen] = [rows.count > 0, openId !== null]
  const canBegin = rows.rowAt(Math.max(0, row)) !== undefined
  const mayWrite = !rows.isPrevious && !isAny && (isOpen || canBegin)
  // While rows of the previous filter are still on screen, keys decide nothing.
  const hasTarget = !rows.isPrevious && changing === null && (isAny || isOpen || row !== -1)
  const when = (isPossible: boolean, run: () => unknown) => (isPossible ? () => void run() : undefined)
  const set = (status: LeadStatus) => when(hasTarget, () => acts.decideTargets({ status }))
  useTitleCount(rows.waiting)
  usePublishList(description && description.list, filters.query)
  useCommands({
    reply: when(mayWrite, () => acts.begin(requestWriting)),
    note: when(mayWrite, () => acts.begin(requestNote)),
    next: when(isThere, () => acts.move(1)),
    previous: when(isThere, () => acts.move(-1)),
    open: when(!isAny && canBegin, () => acts.begin()),
    back: isMarking ? acts.unmark : when(isOpen, acts.close),
    handled: set('handled'),
    inProgress: when(hasTarget, () => acts.decideTargets(acts.taken)),
    renew: set('new'),
    dismissed: set('dismissed'),
    assign: when(hasTarget, () => acts.askAssign()),
    followUp: when(hasTarget, () => acts.askPutAside()),
    undo: acts.undo,
    mark: when(id !== null, () => acts.markHere(false)),
    markRange: when(id !== null, () => acts.markHere(true)),
    markAll: when(isThere, acts.markAll),
    export: when(isThere, async () => (await dialogs()).takeLeads(acts, 'export', !isAny)),
    search: () => acts.searchField.current?.select(),
    clear: when(filters.isFiltered, acts.clearFilters),
  })
}

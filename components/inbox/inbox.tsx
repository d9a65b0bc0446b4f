'use client'

import { memo, type PointerEvent } from 'react'
import { useTitleCount } from '@/components/browser/browser-tab'
import { useIdleLoading } from '@/components/browser/idle-loading'
import { lazyCode } from '@/components/browser/lazy-code'
import { useCommands } from '@/components/desk/commands'
import { usePublishList } from '@/components/desk/current-list'
import { lazyDialog, lazyPart, optionalPart } from '@/components/desk/lazy-part'
import { PartBoundary } from '@/components/desk/part-failure'
import { LeadPane, loadWriting, NothingOpen, OpenLead } from '@/components/lead/lead-pane'
import { triageCode } from '@/components/triage/use-triage'
import type { Place } from '@/lib/api/leads'
import { ApiError } from '@/lib/api/send'
import type { LeadStatus } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { refOf } from '@/lib/leads/lead-key'
import { cursorIn, descriptionIn, type InboxState, marksIn } from './inbox-state'
import { foundCode, type QueueParts } from './lead-row'
import { LeadRows, LoadingRows } from './lead-rows'
import { FilterChips, FilterPanel, inputCode, ListHeader } from './list-header'
import { beginReply, InboxProvider, NO_LEAD, useActs, useInbox, useInboxState } from './use-inbox'

const bulk = () => import('./bulk-bar')
const BulkBar = lazyPart(async () => (await bulk()).BulkBar)
const MarkedSummary = lazyPart(async () => (await bulk()).MarkedSummary)
const none = () => import('./no-rows')
const NoRows = lazyPart(async () => (await none()).NoRows, <LoadingRows />)
const ListFoot = optionalPart(async () => (await none()).ListFoot)
const CursorWords = optionalPart(async () => (await none()).CursorWords)
const dialogs = () => import('./inbox-dialogs')
const dialogsCode = lazyCode(dialogs)
const InboxDialogs = lazyDialog(async () => (await dialogs()).InboxDialogs)
const loadDialogs = async () => (await dialogsCode.want())?.loadDialogs()

export function Inbox({ place, queue = null }: { place: Place; queue?: QueueParts | null }) {
  const context = useInboxState(place, queue, dialogsCode)
  useIdleLoading(AHEAD)
  return (
    <InboxProvider value={context}>
      <Panes />
    </InboxProvider>
  )
}

const Panes = memo(function Panes() {
  const { panes } = useActs()
  return (
    <div ref={panes} className="inbox-panes">
      <PartBoundary>
        <ListPane />
      </PartBoundary>
      <Lead />
      <CommandsAndDialog />
    </div>
  )
})

function ListPane() {
  const { isCovered, isMarking } = useInbox(paneIn)
  const { setHeld } = useActs()
  const hold = ({ type, pointerType }: PointerEvent) =>
    void inputCode.want().then((code) => code?.hold(type, pointerType, setHeld))
  const held = { onPointerMove: hold, onPointerLeave: hold, onPointerDown: hold, onPointerUp: hold }
  return (
    <section data-covered={isCovered} className="list-pane">
      <ListHeader />
      <div className="relative flex min-h-0 flex-1 flex-col low:flex-none" {...held} onPointerCancel={hold}>
        <Rows />
      </div>
      <ListFoot />
      {isMarking && <BulkBar />}
    </section>
  )
}

const paneIn = (state: InboxState) => ({
  isCovered: state.list.openId !== null,
  isMarking: marksIn(state).isMarking,
})

const rowsShown = ({ rows }: InboxState) => ({
  isAny: rows.count > 0,
  /** Not before the answer to what is asked now: the one before may have been empty. */
  isThere: rows.data !== undefined && !rows.isPrevious,
  error: rows.error,
})

function Rows() {
  const { isAny, isThere, error } = useInbox(rowsShown)
  if (isAny) return <LeadRows />
  if (isThere) return <NoRows failure={null} />
  return error instanceof ApiError ? <NoRows failure={error.kind} /> : <LoadingRows />
}

function leadIn(state: InboxState) {
  const { openItem, hasPrevious, hasNext, apart } = cursorIn(state)
  const [hasMarks, hasRows] = [marksIn(state).isAny, state.rows.count > 0]
  return { openId: state.list.openId, openItem, hasPrevious, hasNext, apart, hasMarks, hasRows }
}

function Lead() {
  const { openId, openItem, hasPrevious, hasNext, apart, hasMarks, hasRows } = useInbox(leadIn)
  const { decide, move, close } = useActs()
  const { kind, id } = refOf(openId ?? NO_LEAD)
  return (
    <>
      <LeadPane
        description={LISTS_BY_KIND[kind]}
        id={openId && id}
        listed={openItem}
        onPrevious={hasPrevious ? () => move(-1) : undefined}
        onNext={hasNext ? () => move(1) : undefined}
        onClose={close}
        onStatus={(item, status) => decide.aboutOne(item, { status })}
        onTake={(item) => decide.aboutOne(item, decide.taken)}
        onAssign={decide.askAssign}
        onPutAside={decide.askPutAside}
        onBack={(item) => decide.aboutOne(item, { snoozeUntil: null })}
        onNoted={decide.noted}
        onLeave={decide.leave}
        onGoBack={decide.goBack}
        apart={apart}
        instead={hasMarks ? <MarkedSummary /> : hasRows && <NothingOpen />}
      />
      <output className="sr-only">{openItem !== undefined && <CursorWords item={openItem} />}</output>
    </>
  )
}

const everything = (state: InboxState) => state

/** What keys and palette do in a list, what the tab's title says of it, and the dialogs. It draws no more than these. */
function CommandsAndDialog() {
  const state = useInbox(everything)
  const { filters, rows, list, changing } = state
  const acts = useActs()
  const { decide, ask } = acts
  const { row } = cursorIn(state)
  const { isAny, isMarking } = marksIn(state)
  const [description, isThere, isOpen] = [descriptionIn(state), rows.count > 0, list.openId !== null]
  const canBegin = rows.rowAt(Math.max(0, row)) !== undefined
  // Rows of the filter before are on their way out: what is decided about is what stays.
  const hasTarget = !rows.isPrevious && changing === null && (isAny || isOpen || row !== -1)
  const when = (isPossible: boolean, run: () => unknown) => (isPossible ? () => void run() : undefined)
  const set = (status: LeadStatus) => when(hasTarget, () => decide.aboutTargets({ status }))
  useTitleCount(rows.waiting)
  usePublishList(description && description.list, filters.query)
  useCommands({
    reply: when(!rows.isPrevious && !isAny && (isOpen || canBegin), () => beginReply(acts, list.openId)),
    next: when(isThere, () => acts.move(1)),
    previous: when(isThere, () => acts.move(-1)),
    open: when(!isAny && canBegin, () => acts.begin()),
    back: isMarking ? acts.unmark : when(isOpen, acts.close),
    handled: set('handled'),
    inProgress: when(hasTarget, () => decide.aboutTargets(decide.taken)),
    renew: set('new'),
    dismissed: set('dismissed'),
    assign: when(hasTarget, () => decide.askAssign()),
    followUp: when(hasTarget, () => decide.askPutAside()),
    undo: decide.undo,
    mark: when(row !== -1, () => acts.markHere(false)),
    markRange: when(row !== -1, () => acts.markHere(true)),
    markAll: when(isThere, acts.markAll),
    export: when(isThere, async () => (await dialogsCode.want())?.takeLeads(acts, 'export', !isAny)),
    search: () => acts.searchField.current?.select(),
    clear: when(filters.isFiltered, acts.clearFilters),
  })
  return state.dialog && <InboxDialogs onClose={() => ask(null)} />
}

const AHEAD = {
  // What says that the network is gone must be here before that.
  soon: [triageCode.want, OpenLead.load, NoRows.load],
  later: [
    loadWriting,
    foundCode.want,
    BulkBar.load,
    MarkedSummary.load,
    InboxDialogs.load,
    loadDialogs,
    FilterPanel.load,
    FilterChips.load,
  ],
}

'use client'

import { type PointerEvent, useEffect, useRef } from 'react'
import { useTitleCount } from '@/components/ui/browser-tab'
import { requestNote, requestWriting } from '@/components/contact/writing-request'
import { useCommands } from '@/components/app/commands'
import { usePublishList } from '@/components/app/current-list'
import { lazyDialog, lazyPart, optionalPart, usePreloadWhenIdle } from '@/components/app/lazy-part'
import { PartErrorBoundary } from '@/components/app/part-failure'
import { LeadPane, preloadWriting, NoLeadOpen } from '@/components/lead/lead-pane'
import type { ListOrQueue } from '@/lib/api/leads'
import { ApiError } from '@/lib/api/send'
import type { LeadStatus } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { parseLeadKey } from '@/lib/leads/lead-key'
import { selectCursor, type InboxState, selectMarks } from './inbox-state'
import { LeadRows, loadFoundLead, LoadingRows } from './lead-rows'
import { FilterChips, FilterPanel, ListHeader } from './list-header'
import { type InboxActions, InboxContext, useInbox, useInboxState } from './use-inbox'

const loadBulkBar = () => import('./bulk-bar')
const BulkBar = lazyPart(async () => (await loadBulkBar()).BulkBar)
const MarkedSummary = lazyPart(async () => (await loadBulkBar()).MarkedSummary)
const NoRows = lazyPart(async () => (await import('./no-rows')).NoRows, <LoadingRows />)
const loadListFoot = () => import('./list-footer')
const ListFooter = optionalPart(async () => (await loadListFoot()).ListFooter)
const CursorAnnouncement = optionalPart(async () => (await loadListFoot()).CursorAnnouncement)
const loadInboxDialogs = () => import('./inbox-dialogs')
const InboxDialogs = lazyDialog(async () => (await loadInboxDialogs()).InboxDialogs)

const PRELOADS = [
  preloadWriting,
  NoRows.load,
  loadFoundLead,
  BulkBar.load,
  InboxDialogs.load,
  async () => (await loadInboxDialogs()).loadDialogs(),
  FilterPanel.load,
  FilterChips.load,
]

export function Inbox({ place: listOrQueue }: { listOrQueue: ListOrQueue }) {
  const { state, actions: acts } = useInboxState(listOrQueue)
  useInboxCommands(state, acts)
  usePreloadWhenIdle(PRELOADS)
  const { addressed, rows, dialog } = state
  const { openId, openItem, hasPrevious, hasNext, apart } = selectCursor(state)
  const lead = openId === null ? null : parseLeadKey(openId)
  return (
    <InboxContext value={{ ...state, actions: acts }}>
      <div className="inbox-panes">
        <PartErrorBoundary>
          <ListPane />
        </PartErrorBoundary>
        <LeadPane
          description={LISTS_BY_KIND[lead?.kind ?? 'asked-question']}
          id={lead && lead.id}
          isChosen={addressed !== null}
          listItem={openItem}
          onPrevious={hasPrevious ? () => void acts.move(-1) : undefined}
          onNext={hasNext ? () => void acts.move(1) : undefined}
          onClose={acts.closeLead}
          onStatus={(item, status) => acts.decideLead(item, { status })}
          onTake={(item) => acts.decideLead(item, acts.takeDecision)}
          onAssign={acts.askAssign}
          onSnooze={acts.askSnooze}
          onUnsnooze={(item) => acts.decideLead(item, { snoozeUntil: null })}
          onAttempt={acts.noteAttempt}
          onFinished={acts.goToNextLead}
          onReturn={acts.returnToLead}
          apart={apart}
          placeholder={selectMarks(state).hasMarks ? <MarkedSummary /> : rows.count > 0 && <NoLeadOpen />}
        />
        <output className="sr-only">{openItem !== undefined && <CursorAnnouncement item={openItem} />}</output>
        {dialog && <InboxDialogs onClose={() => acts.showDialog(null)} />}
      </div>
    </InboxContext>
  )
}

/** The click event of a tap comes up to this long after the finger has left. */
const TAP_MS = 400

function ListPane() {
  const inbox = useInbox()
  const { addressed, rows, actions: acts } = inbox
  const { setHeld } = acts
  // While the user points at rows none of them moves (`inTheirPlaces`). Keys and scrolling end that.
  const afterTap = useRef<ReturnType<typeof setTimeout>>(undefined)
  const setFrozen = (isHeld: boolean) => {
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
        onPointerMove={(event) => isMouse(event) && setFrozen(true)}
        onPointerLeave={(event) => isMouse(event) && setFrozen(false)}
        onPointerDown={() => setFrozen(true)}
        onPointerUp={(event) => {
          if (!isMouse(event)) afterTap.current = setTimeout(() => setHeld(false), TAP_MS)
        }}
        onPointerCancel={() => setFrozen(false)}
      >
        {rows.count > 0 && <LeadRows />}
        {rows.count === 0 && (isAnswered ? <NoRows /> : <LoadingRows />)}
      </div>
      <ListFooter />
      {selectMarks(inbox).isMarking && <BulkBar />}
    </section>
  )
}

/** What keys and palette do in a list, and what the tab's title says of it. */
function useInboxCommands(state: InboxState, acts: InboxActions): void {
  const { description, filters, rows, changingCount: changing } = state
  const { id, row, openId } = selectCursor(state)
  const { hasMarks: isAny, isMarking } = selectMarks(state)
  const [hasRows, isOpen] = [rows.count > 0, openId !== null]
  const canBegin = rows.rowAt(Math.max(0, row)) !== undefined
  const mayWrite = !rows.isPrevious && !isAny && (isOpen || canBegin)
  // While rows of the previous filter are still on screen, keys decide nothing.
  const hasTarget = !rows.isPrevious && changing === null && (isAny || isOpen || row !== -1)
  const runIf = (isPossible: boolean, run: () => unknown) => (isPossible ? () => void run() : undefined)
  const setStatus = (status: LeadStatus) => runIf(hasTarget, () => acts.decideTargets({ status }))
  useTitleCount(rows.newCount)
  usePublishList(description && description.list, filters.query)
  useCommands({
    reply: runIf(mayWrite, () => acts.openOrWrite(requestWriting)),
    note: runIf(mayWrite, () => acts.openOrWrite(requestNote)),
    next: runIf(hasRows, () => acts.move(1)),
    previous: runIf(hasRows, () => acts.move(-1)),
    open: runIf(!isAny && canBegin, () => acts.openOrWrite()),
    back: isMarking ? acts.clearMarks : runIf(isOpen, acts.closeLead),
    handled: setStatus('handled'),
    inProgress: runIf(hasTarget, () => acts.decideTargets(acts.takeDecision)),
    renew: setStatus('new'),
    dismissed: setStatus('dismissed'),
    assign: runIf(hasTarget, () => acts.askAssign()),
    followUp: runIf(hasTarget, () => acts.askSnooze()),
    undo: acts.undo,
    mark: runIf(id !== null, () => acts.markCursor(false)),
    markRange: runIf(id !== null, () => acts.markCursor(true)),
    markAll: runIf(hasRows, acts.markAll),
    export: runIf(hasRows, async () => (await loadInboxDialogs()).openExportDialog(acts, 'export', !isAny)),
    search: () => acts.searchField.current?.select(),
    clear: runIf(filters.isFiltered, acts.clearFilters),
  })
}

'use client'

import { type PointerEvent, useEffect, useRef } from 'react'
import { useCommands } from '@/components/app/commands'
import { usePublishList } from '@/components/app/current-list'
import { lazyDialog, lazyPart, optionalPart } from '@/components/app/lazy-part'
import { usePreloadWhenIdle } from '@/components/app/preload'
import { requestWriting } from '@/components/contact/writing-request'
import { LeadPane, preloadEditors } from '@/components/lead/lead-pane'
import { useTitleCount } from '@/components/ui/title-count'
import type { ListOrQueue } from '@/lib/api/leads'
import { ApiError } from '@/lib/api/send'
import type { LeadStatus } from '@/lib/contract/lead'
import { LeadRows, loadHighlighter } from './lead-rows'
import { FilterChips, FilterPanel, ListHeader } from './list-header'
import { LoadingRows } from './loading-rows'
import { InboxContext, type InboxContextValue, useInbox, useInboxState } from './use-inbox'

const loadBulkBar = () => import('./bulk-bar')
const BulkBar = lazyPart(async () => (await loadBulkBar()).BulkBar)
const PanePlaceholder = lazyPart(async () => (await loadBulkBar()).PanePlaceholder)
const NoRows = lazyPart(async () => (await import('./no-rows')).NoRows, <LoadingRows />, 'day')
const loadListFooter = () => import('./list-footer')
const ListFooter = optionalPart(async () => (await loadListFooter()).ListFooter)
const CursorAnnouncement = optionalPart(async () => (await loadListFooter()).CursorAnnouncement)
const loadInboxDialogs = () => import('./inbox-dialogs')
const InboxDialogs = lazyDialog(async () => (await loadInboxDialogs()).InboxDialogs)

const PRELOADS = [
  preloadEditors,
  NoRows.preload,
  loadHighlighter,
  BulkBar.preload,
  InboxDialogs.preload,
  async () => (await loadInboxDialogs()).preloadTriageDialogs(),
  FilterPanel.preload,
  FilterChips.preload,
]

export function Inbox({ listOrQueue }: { listOrQueue: ListOrQueue }) {
  const inbox = useInboxState(listOrQueue)
  useInboxCommands(inbox)
  const { addressedKey, description, filters, rows, dialog, actions } = inbox
  useTitleCount(rows.newCount)
  usePublishList(description?.list ?? null, filters.query)
  usePreloadWhenIdle(PRELOADS)
  const { openKey, openItem, hasPrevious, hasNext, isOpenMissing } = inbox.cursor
  return (
    <InboxContext value={inbox}>
      <div className="inbox-panes">
        <ListPane />
        <LeadPane
          openKey={openKey}
          isChosen={addressedKey !== null}
          listItem={openItem}
          isMissing={isOpenMissing}
          hasPrevious={hasPrevious}
          hasNext={hasNext}
          actions={actions}
          placeholder={<PanePlaceholder />}
        />
        <output className="sr-only">{openItem && <CursorAnnouncement item={openItem} />}</output>
        {dialog && <InboxDialogs onClose={() => actions.showDialog(null)} />}
      </div>
    </InboxContext>
  )
}

function ListPane() {
  const { addressedKey, rows, marks, actions } = useInbox()
  const pointerHandlers = useFreezeWhilePointing(actions.setRowsFrozen)
  // A list is not known to be empty before its current query is answered.
  const isAnswered = !rows.isOfPreviousQuery && (rows.data !== undefined || rows.error instanceof ApiError)
  return (
    <section data-covered={addressedKey !== null} className="list-pane">
      <ListHeader />
      <div className="relative flex min-h-0 flex-1 flex-col low:flex-none" {...pointerHandlers}>
        {rows.count > 0 && <LeadRows />}
        {rows.count === 0 && (isAnswered ? <NoRows /> : <LoadingRows />)}
      </div>
      <ListFooter />
      {marks.isMarking && <BulkBar />}
    </section>
  )
}

/** The browser sends the click of a tap at most this long after the finger has left. */
const TAP_CLICK_DELAY_MS = 400

/**
 * Freezes the rows while a mouse or finger is on them, so that none moves under it. A key, scrolling or leaving the
 * window ends this.
 */
function useFreezeWhilePointing(setRowsFrozen: (areFrozen: boolean) => void) {
  const tapTimeout = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const unmount = new AbortController()
    const unfreeze = () => setRowsFrozen(false)
    for (const event of ['keydown', 'scroll'])
      window.addEventListener(event, unfreeze, { capture: true, passive: true, signal: unmount.signal })
    window.addEventListener('blur', unfreeze, { signal: unmount.signal })
    return () => unmount.abort()
  }, [setRowsFrozen])
  const isMouse = ({ pointerType }: PointerEvent) => pointerType === 'mouse'
  const setFrozenNow = (areFrozen: boolean) => {
    clearTimeout(tapTimeout.current)
    setRowsFrozen(areFrozen)
  }
  return {
    onPointerMove: (event: PointerEvent) => isMouse(event) && setFrozenNow(true),
    onPointerLeave: (event: PointerEvent) => isMouse(event) && setFrozenNow(false),
    onPointerDown: () => setFrozenNow(true),
    onPointerUp: (event: PointerEvent) => {
      if (!isMouse(event)) tapTimeout.current = setTimeout(() => setRowsFrozen(false), TAP_CLICK_DELAY_MS)
    },
    onPointerCancel: () => setFrozenNow(false),
  }
}

function useInboxCommands(inbox: InboxContextValue): void {
  const { filters, rows, changingCount, cursor, marks, actions } = inbox
  const { key: cursorKey, row, openKey } = cursor
  const { hasMarks, isMarking } = marks
  const hasRows = rows.count > 0
  const isOpen = openKey !== null
  const canOpen = rows.rowAt(Math.max(0, row)) !== undefined
  const canWrite = !rows.isOfPreviousQuery && !hasMarks && (isOpen || canOpen)
  // Keys decide nothing while rows of the previous filter are on screen.
  const canDecide = !rows.isOfPreviousQuery && changingCount === null && (hasMarks || isOpen || row !== -1)
  const commandIf = (isPossible: boolean, run: () => unknown) => (isPossible ? () => void run() : undefined)
  const statusCommand = (status: LeadStatus) => commandIf(canDecide, () => actions.decideTargets({ status }))
  useCommands({
    reply: commandIf(canWrite, () => actions.openOrWrite(requestWriting)),
    note: commandIf(canWrite, () => actions.openOrWrite((lead) => requestWriting(lead, 'note'))),
    next: commandIf(hasRows, () => actions.move(1)),
    previous: commandIf(hasRows, () => actions.move(-1)),
    open: commandIf(!hasMarks && canOpen, () => actions.openOrWrite()),
    back: isMarking ? actions.clearMarks : commandIf(isOpen, actions.closeLead),
    handled: statusCommand('handled'),
    inProgress: commandIf(canDecide, () => actions.decideTargets(actions.takeDecision)),
    renew: statusCommand('new'),
    dismissed: statusCommand('dismissed'),
    assign: commandIf(canDecide, () => actions.askAssign()),
    followUp: commandIf(canDecide, () => actions.askSnooze()),
    undo: actions.undo,
    mark: commandIf(cursorKey !== null, () => actions.markCursor('row')),
    markRange: commandIf(cursorKey !== null, () => actions.markCursor('range')),
    markAll: commandIf(hasRows, actions.markAll),
    export: commandIf(hasRows, () => actions.askExport('export', hasMarks ? 'marked' : 'all')),
    search: () => actions.searchField.current?.select(),
    clear: commandIf(filters.isFiltered, actions.clearFilters),
  })
}

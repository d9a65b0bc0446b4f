'use client'

import { useCommands } from '@/components/shell/commands'
import type { LeadStatus } from '@/lib/contract/lead'
import type { InboxDialog } from './inbox-dialogs'
import type { ListFilters } from './use-list-filters'
import type { Cursor } from './use-cursor'
import type { Decide } from './use-decide'
import type { ListRows } from './use-list-rows'
import type { Marked } from './use-selection'
import type { RefObject } from 'react'

type CommandParts = {
  filters: ListFilters
  rows: ListRows
  cursor: Cursor
  marked: Marked
  decide: Decide
  openId: string | null
  searchField: RefObject<HTMLInputElement | null>
  setDialog: (dialog: InboxDialog | null) => void
  focusList: () => void
  close: () => void
  exportAll: () => void
}

/** What keys and palette do in a list. With all marked that match, the bar that says so decides instead. */
export function useInboxCommands(parts: CommandParts): void {
  const { filters, rows, cursor, marked, decide, openId, searchField, setDialog, focusList, close, exportAll } = parts
  const isThere = rows.count > 0
  const hasTarget = !marked.isAll && (marked.isAny || openId !== null || cursor.index !== -1)
  const onTarget = (run: () => void) => (hasTarget ? run : undefined)
  const set = (status: LeadStatus) => onTarget(() => decide.all({ status }))
  const move = (step: 1 | -1) => () => {
    cursor.move(step)
    // So that a screen reader follows; with a lead open, the focus stays with the lead.
    if (openId === null) focusList()
  }
  const mark = (isRange: boolean) =>
    cursor.index === -1 || cursor.id === null ? undefined : () => marked.mark(cursor.id ?? '', cursor.index, isRange)
  useCommands({
    next: isThere ? move(1) : undefined,
    previous: isThere ? move(-1) : undefined,
    open: cursor.index === -1 ? undefined : cursor.open,
    back: marked.isMarking ? marked.clear : openId === null ? undefined : close,
    handled: set('handled'),
    inProgress: set('in-progress'),
    renew: set('new'),
    dismissed: set('dismissed'),
    assign: onTarget(() => setDialog({ is: 'assign', leads: decide.targets() })),
    undo: decide.undo,
    mark: mark(false),
    markRange: mark(true),
    markAll: isThere ? marked.markAll : undefined,
    export: isThere ? exportAll : undefined,
    search: () => searchField.current?.select(),
    clear: filters.isFiltered ? filters.clear : undefined,
    onlyNew: () => filters.set({ status: ['new'] }),
    onlyMine: () => filters.set({ assignee: ['me'] }),
    saveView:
      filters.isFiltered || filters.query.sort !== '-createdAt' ? () => setDialog({ is: 'save-view' }) : undefined,
  })
}

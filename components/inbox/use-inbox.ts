'use client'

import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useShowList } from '@/components/shell/shown-list'
import { listCounts } from '@/lib/api/list-counts'
import type { LeadListQuery } from '@/lib/api/lead-page'
import type { LeadList } from '@/lib/contract/lead'
import { filterOf } from '@/lib/inbox/filter-of'
import { LISTS } from './lists'
import { useCursor } from './use-cursor'
import { useDecide } from './use-decide'
import { useFreshRows } from './use-fresh-rows'
import { useInboxCommands } from './use-inbox-commands'
import { useIsHidden } from './use-is-hidden'
import { useListFilters } from './use-list-filters'
import { useListRows, type ListRows } from './use-list-rows'
import { useOpenLead } from './use-open-lead'
import { useSelection } from './use-selection'
import { useStableCallback } from './use-stable-callback'
import { useTitleCount } from './use-title-count'
import type { InboxDialog } from './inbox-dialogs'

/** All that the list and the open lead share. */
export function useInbox(list: LeadList) {
  const [description, filters] = [LISTS[list], useListFilters(list)]
  const { query } = filters
  const opened = useOpenLead(filters.search)
  const [dialog, setDialog] = useState<InboxDialog | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const view = useView(opened.id !== null)
  const rows = useListRows(description, query, view.offsets, view.isReading)
  const { data: counts } = useQuery(listCounts(list, filterOf(query)))
  const fresh = useFreshRows(rows, query, counts)
  const { listKey, letIn } = useLetIn(rows, query)
  const cursor = useCursor(rows, opened)
  const marked = useSelection(list, query, rows)
  const decide = useDecide({ description, query, rows, cursor, openId: opened.id, marked })
  useTitleCount(rows.held)
  useShowList(list, query)

  const focusList = () => scroller.current?.focus({ preventScroll: true })
  const inbox = {
    description,
    filters,
    counts,
    rows,
    fresh,
    cursor,
    marked,
    decide,
    openId: opened.id,
    listKey,
    scroller,
    searchField,
    dialog,
    setDialog,
    view,
    focusList,
    close: () => {
      if (opened.id === null) return
      opened.close()
      focusList()
    },
    letIn: () => {
      letIn()
      focusList()
    },
    onMark: useStableCallback(marked.mark),
    exportAll: () => setDialog(exportOfAll(list, query, rows)),
  }
  useInboxCommands(inbox)
  return inbox
}

/** Names the list: another one (a filter, an order, new leads let in) is read from its top. */
function useLetIn(rows: ListRows, query: LeadListQuery) {
  const [times, setTimes] = useState(0)
  const letIn = () => {
    rows.letIn()
    setTimes(times + 1)
  }
  return { listKey: `${JSON.stringify(query)} ${times}`, letIn }
}

function exportOfAll(list: LeadList, query: LeadListQuery, { count, held }: ListRows): InboxDialog {
  return { is: 'export', target: { matching: { list, ...filterOf(query) } }, count: count + held }
}

/** What of the list is on screen, and whether somebody reads it: then nothing may move. */
function useView(isOpen: boolean) {
  const [offsets, setOffsets] = useState<readonly number[]>([0])
  const [isScrolled, setScrolled] = useState(false)
  const [isPointed, setPointed] = useState(false)
  // What comes in while nobody looks is held too, or nobody would know afterwards what is new.
  const isHidden = useIsHidden()
  const isReading = isScrolled || isPointed || isHidden || isOpen
  return { offsets, isReading, setOffsets, setScrolled, setPointed }
}

export type InboxState = ReturnType<typeof useInbox>

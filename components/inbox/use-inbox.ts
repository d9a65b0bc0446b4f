'use client'

import { useRef, useState } from 'react'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from './lists'
import { useCursor } from './use-cursor'
import { useIsHidden } from './use-is-hidden'
import { useListFilters } from './use-list-filters'
import { useListKeys } from './use-list-keys'
import { useListRows } from './use-list-rows'
import { useOpenLead } from './use-open-lead'
import { useTitleCount } from './use-title-count'

/** All that the list and the open lead share. */
export function useInbox(list: LeadList) {
  const description = LISTS[list]
  const filters = useListFilters(list)
  const opened = useOpenLead(filters.search)
  const [offsets, setOffsets] = useState<readonly number[]>([0])
  const [isScrolled, setScrolled] = useState(false)
  const [isPointed, setPointed] = useState(false)
  const [timesLetIn, setTimesLetIn] = useState(0)
  // What comes in while nobody looks is held too, or nobody would know afterwards what is new.
  const isHidden = useIsHidden()
  const isReading = isScrolled || isPointed || isHidden || opened.id !== null
  const rows = useListRows(description, filters.query, offsets, isReading)
  const cursor = useCursor(rows, opened)
  useTitleCount(rows.held)
  const scroller = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)

  const focusList = () => scroller.current?.focus({ preventScroll: true })
  const close = () => {
    if (opened.id === null) return
    opened.close()
    focusList()
  }
  const letIn = () => {
    rows.letIn()
    setTimesLetIn((times) => times + 1)
    focusList()
  }
  useListKeys({ move: cursor.move, openCursor: cursor.open, close, search: () => searchField.current?.select() })
  return {
    description,
    filters,
    rows,
    cursor,
    openId: opened.id,
    /** Another list (a filter, an order, new leads let in), which is read from its top. */
    listKey: `${JSON.stringify(filters.query)} ${timesLetIn}`,
    scroller,
    searchField,
    setOffsets,
    setScrolled,
    setPointed,
    focusList,
    close,
    letIn,
  }
}

export type InboxState = ReturnType<typeof useInbox>

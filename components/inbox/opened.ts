import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { useUrlState } from '@/components/browser/url-state'
import { leadPlace } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { fateInNewList, givesWay, type Subject } from '@/lib/inbox/subject'
import type { ListRows } from './list-rows'
import type { Marked } from './selection'

export type OpenLead = {
  id: string | null
  open: (id: string) => void
  /** By the person: back to the list. */
  close: () => void
  /** Because it gives way to something else: no step back, since nobody went anywhere. */
  drop: () => void
}

/**
 * The open lead, in the URL. Opening is a step in the history and closing takes it back, so that the back button of a phone
 * closes; going from lead to lead is none, or `j` forty times would be forty steps.
 */
export function useOpenLead(search: string): OpenLead {
  const { search: params, write } = useUrlState()
  const id = params.get('lead')
  const opened = useRef<{ entry: string | null; search: string } | null>(null)
  const drop = () => {
    opened.current = null
    write({ lead: [] }, 'replace')
  }
  return {
    id,
    open: (next) => {
      if (id !== null) return write({ lead: [next] }, 'replace')
      write({ lead: [next] }, 'push')
      opened.current = { entry: historyEntry(), search }
    },
    close: () => {
      const { current } = opened
      // Going back must not bring back an older search or filter than the one on screen.
      const isOurStep = current !== null && current.entry !== null && current.entry === historyEntry()
      if (!isOurStep || current.search !== search) return drop()
      opened.current = null
      window.history.back()
    },
    drop,
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}

/**
 * The row of an open lead that is not among the loaded ones, by the server's answer: null when it is not in the list,
 * undefined until that is known. Asked for only where the first page does not say it.
 */
export function useToldRow(list: LeadList, rows: ListRows, id: string | null): number | null | undefined {
  const { data, isPrevious, query, waiting } = rows
  const isAsked = id !== null && data !== undefined && !isPrevious && rows.indexOf(id) === -1
  const onFirst = data?.items.findIndex((item) => item.id === id) ?? -1
  const isWhole = data !== undefined && data.items.length >= data.total
  const { data: told } = useQuery({
    ...leadPlace(list, query, id ?? ''),
    enabled: isAsked && !isWhole && onFirst === -1,
  })
  if (!isAsked) return undefined
  if (onFirst !== -1) return onFirst - waiting
  if (isWhole) return null
  return typeof told?.place === 'number' ? told.place - waiting : told?.place
}

type Parts = {
  opened: OpenLead
  rows: ListRows
  cursor: { subject: Subject; told: number | null | undefined; leave: () => void }
  marked: Marked
}

/** Keeps to one subject: the open lead gives way to another list that it is not in, and to marks; marks to a lead opened since. */
export function useOneSubject({ opened, rows, cursor, marked }: Parts): void {
  const seen = useRef({ id: opened.id, query: rows.query })
  useLayoutEffect(() => {
    const before = seen.current
    const way = givesWay(marked.isAny, opened.id, before.id)
    if (way === 'marks') marked.clear()
    if (way === 'lead') opened.drop()
    if (opened.id === null || opened.id !== before.id) {
      seen.current = { id: opened.id, query: rows.query }
    } else if (before.query !== rows.query && !rows.isPrevious) {
      const fate = fateInNewList(cursor.subject, cursor.told)
      if (fate === 'waits') return
      seen.current = { id: opened.id, query: rows.query }
      if (fate === 'stays') return
      cursor.leave()
      opened.drop()
    }
  })
}

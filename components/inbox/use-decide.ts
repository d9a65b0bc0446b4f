'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { useTriage, type TriageDecision } from '@/components/triage/use-triage'
import { listCounts } from '@/lib/api/list-counts'
import type { LeadItem, LeadListQuery, LeadPage } from '@/lib/api/lead-page'
import type { LeadRef } from '@/lib/contract/lead'
import { filterOf } from '@/lib/inbox/filter-of'
import type { TriagedLead } from '@/lib/inbox/triage-versions'
import type { ListDescription } from './lists'
import { nextUnhandled, type Place } from './next-unhandled'
import type { Cursor } from './use-cursor'
import type { ListRows } from './use-list-rows'
import type { Marked } from './use-selection'
import { useStableCallback } from './use-stable-callback'

type DecideOptions = {
  description: ListDescription
  query: LeadListQuery
  rows: ListRows
  cursor: Cursor
  openId: string | null
  marked: Marked
}

/** Decisions about what is marked, or else about the open lead, or else about the row that the keys are at. */
export function useDecide(options: DecideOptions) {
  const { description, query, rows, cursor, marked } = options
  const { list, kind } = description
  const client = useQueryClient()
  const triage = useTriage()
  const advance = useAdvance(options)
  const current = useCurrent(options)

  const targets = (): readonly TriagedLead[] => {
    if (marked.ids.size > 0) {
      const loaded = new Map(rows.items().map((item) => [item.id, item]))
      return [...marked.ids].map((id) => ({ kind, id, triage: loaded.get(id)?.triage }))
    }
    const item = current()
    return item === undefined ? [] : [{ kind, id: item.id, triage: item.triage }]
  }
  /** To where it was: whoever takes a decision back wants to see the lead again. */
  const goBack = useStableCallback(([only, ...others]: readonly LeadRef[]) => {
    if (only === undefined || others.length > 0 || only.kind !== kind) return
    const found = rows.indexOf(only.id)
    cursor.goTo(only.id, found === -1 ? Math.max(0, cursor.index) : found)
  })
  const left = () => client.getQueryData(listCounts(list, filterOf(query)).queryKey)?.status['new']
  const about = (leads: readonly TriagedLead[], decision: TriageDecision) =>
    void triage.change(leads, decision, { left: decision.status === undefined ? undefined : left, onUndone: goBack })

  return {
    targets,
    about,
    /** About one lead; the next that waits comes up in its place if it is the one that the person is at. */
    one: (item: LeadItem, decision: TriageDecision, isDone = true) => {
      about([{ kind, id: item.id, triage: item.triage }], decision)
      if (isDone && item.id === cursor.id) advance(item)
    },
    all: (decision: TriageDecision) => {
      const item = marked.ids.size > 0 ? undefined : current()
      about(targets(), decision)
      if (item === undefined) marked.clear()
      else if (decision.status !== undefined) advance(item)
    },
    undo: () => void triage.undo(goBack),
  }
}

/** The lead that the person is at, as far as it is loaded. */
function useCurrent({ description, rows, cursor, openId }: DecideOptions): () => LeadItem | undefined {
  const client = useQueryClient()
  return () => {
    if (openId === null) return cursor.index === -1 ? undefined : rows.rowAt(cursor.index)
    return cursor.openItem ?? client.getQueryData<LeadPage>(description.one(openId).queryKey)?.items[0]
  }
}

/** Goes from a lead to the next that waits. */
function useAdvance({ description, query, rows, cursor }: DecideOptions): (from: LeadItem) => void {
  const client = useQueryClient()
  const latest = useRef<string | null>(null)
  useLayoutEffect(() => {
    latest.current = cursor.id
  })
  return (from) => {
    const go = (place: Place | null) => {
      // Whoever has gone elsewhere meanwhile stays there.
      if (place !== null && latest.current === from.id) cursor.goTo(place.item.id, place.index)
    }
    const next = nextUnhandled({ client, description, query, rows }, cursor.index)
    if (next instanceof Promise) next.then(go, () => {})
    else go(next)
  }
}

export type Decide = ReturnType<typeof useDecide>

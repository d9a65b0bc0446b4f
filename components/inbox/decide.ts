import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { useTriage } from '@/components/triage/use-triage'
import { type LeadItem, type LeadListQuery, leadPage, type LeadPage, oneLead, PAGE_SIZE } from '@/lib/api/leads'
import { listCounts } from '@/lib/api/list-choices'
import type { LeadRef } from '@/lib/contract/lead'
import type { ListDescription } from '@/lib/contract/lists'
import { filterOf } from '@/lib/inbox/filter-params'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/triage-history'
import type { Cursor } from './cursor'
import type { ListRows } from './list-rows'
import type { Marked } from './selection'
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

  /** What is decided about: the marked leads, or the one that the person is at. */
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
    aboutOne: (item: LeadItem, decision: TriageDecision, isDone = true) => {
      about([{ kind, id: item.id, triage: item.triage }], decision)
      if (isDone && item.id === cursor.id) advance(item)
    },
    /** About the targets; after a single one, the next that waits comes up if the status changes. */
    aboutTargets: (decision: TriageDecision) => {
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
    return cursor.openItem ?? client.getQueryData<LeadPage>(oneLead(description.list, openId).queryKey)?.items[0]
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

type Place = { item: LeadItem; index: number }

type Search = { client: QueryClient; description: ListDescription; query: LeadListQuery; rows: ListRows }

/** Pages that are looked through below what is loaded; after that the person may look for themselves. */
const MOST_PAGES = 10

/** The first lead below `index` that waits for somebody; in a list without new leads the next one. Null: there is none. */
function nextUnhandled(search: Search, index: number): Place | null | Promise<Place | null> {
  const { rows, query } = search
  const isWanted = wantedIn(query)
  for (let at = index + 1; at < rows.count; at++) {
    const item = rows.rowAt(at)
    if (item === undefined) return lookFurther(search, at, isWanted)
    if (isWanted(item)) return { item, index: at }
  }
  return null
}

async function lookFurther(
  { client, description, query, rows }: Search,
  index: number,
  isWanted: (item: LeadItem) => boolean,
): Promise<Place | null> {
  const start = index + rows.waiting
  const firstPage = start - (start % PAGE_SIZE)
  for (let offset = firstPage; offset < firstPage + MOST_PAGES * PAGE_SIZE; offset += PAGE_SIZE) {
    if (offset >= rows.count + rows.waiting) return null
    const { items } = await client.fetchQuery({ ...leadPage(description.list, query, offset), staleTime: 5_000 })
    const at = items.findIndex((item, place) => offset + place >= start && isWanted(item))
    const item = items[at]
    if (item !== undefined) return { item, index: offset + at - rows.waiting }
  }
  return null
}

function wantedIn({ status }: LeadListQuery): (item: LeadItem) => boolean {
  const hasNew = status === undefined || status.includes('new')
  return hasNew ? (item) => item.triage.status === 'new' : () => true
}

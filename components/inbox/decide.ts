import type { AttemptOutcome, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import type { Attempted } from '@/components/triage/attempt-decisions'
import { useTriage } from '@/components/triage/use-triage'
import { type LeadItem, type LeadListQuery, type LeadPage, oneLead } from '@/lib/api/leads'
import { listCounts } from '@/lib/api/queries'
import type { ListDescription } from '@/lib/contract/lists'
import { filterOf } from '@/lib/inbox/filter-params'
import { nameOf } from '@/lib/inbox/lead-text'
import { leavingReplies } from '@/lib/inbox/leaving-replies'
import { isHeavy, unhandledLeft } from '@/lib/inbox/subject'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/triage-history'
import { useAdvance } from './advance'
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
  scroller: RefObject<HTMLElement | null>
  /** Closes the open lead. */
  close: () => void
  /** Asks before it is done, because it is about many. */
  ask: (question: HeavyDecision) => void
}

export type HeavyDecision = { count: number; decision: TriageDecision; onYes: () => void }

/** How many leads are put aside until the day that is chosen; if it is a single one, which. */
export type PutAside = { count: number; item: LeadItem | undefined; onChoose: (day: string) => void }

/** The same key, or button, pressed again when a lead has been on screen for less than this, was meant for the one before. */
const SAME_KEY_MS = 120
const SAME_PRESS_MS = 400

/** Decisions about what is marked, or else about the open lead, or else about the row that the keys are at. */
export function useDecide(options: DecideOptions) {
  const { cursor, openId, marked, ask, scroller } = options
  const triage = useTriage()
  const taken = useTaken()
  const [current, way, isDouble] = [useCurrent(options), useWay(options), useDoubles(cursor.id)]
  const about = useAbout(options, way.goBack)

  const { leadOf, targets } = targetsOf(options, current)
  const aboutMarked = (decision: TriageDecision, leads = targets()) => {
    const onYes = () => {
      about(leads, decision)
      marked.clear()
    }
    if (isHeavy(leads.length)) ask({ count: leads.length, decision, onYes })
    else onYes()
  }

  return {
    leadOf,
    targets,
    about,
    taken,
    /** About one lead; the next that waits comes up in its place if it is the one that the person is at. */
    aboutOne: (item: LeadItem, decision: TriageDecision, isDone = true) => {
      if (isDone && isDouble(item.id, decision, SAME_PRESS_MS)) return
      about([leadOf(item)], decision)
      if (isDone && isLeft(decision) && item.id === cursor.id) way.from(item)
    },
    ...useAnswering(cursor, way, isDouble),
    /** About the targets; after a single one, the next that waits comes up if it is done with. */
    aboutTargets: (decision: TriageDecision) => {
      if (marked.ids.size > 0) return aboutMarked(decision)
      const item = current()
      if (item === undefined || isDouble(item.id, decision, SAME_KEY_MS)) return
      if (openId === null && bringsIntoSight(cursor.index, scroller.current)) return
      about([leadOf(item)], decision)
      if (isLeft(decision)) way.from(item)
    },
    /** The lead, or else the targets, until a day that is still to be chosen; after a single one the next comes up. */
    putAside: (item = marked.ids.size > 0 ? undefined : current()): PutAside => {
      const leads = item === undefined ? targets() : [leadOf(item)]
      const onChoose = (snoozeUntil: string) => {
        about(leads, { snoozeUntil })
        if (item === undefined) marked.clear()
        else if (item.id === cursor.id) way.from(item)
      }
      return { count: leads.length, item, onChoose }
    },
    undo: () => {
      way.stop()
      // What is about to be sent, unless something was done after it.
      if (!leavingReplies.takeBack()) void triage.undo(way.goBack)
    },
  }
}

/** What is decided about: the marked leads, or the one that the person is at. */
function targetsOf({ description: { kind }, rows, marked }: DecideOptions, current: () => LeadItem | undefined) {
  const leadOf = (item: LeadItem): TriagedLead => {
    const { id, triage, snoozeUntil } = item
    return { kind, id, triage: { ...triage, snoozeUntil }, name: nameOf(item), school: item.highSchoolId }
  }
  const targets = (): readonly TriagedLead[] => {
    const item = marked.ids.size > 0 ? undefined : current()
    if (item !== undefined) return [leadOf(item)]
    const loaded = new Map(rows.items().map((one) => [one.id, leadOf(one)]))
    return [...marked.ids].map((id) => loaded.get(id) ?? { kind, id })
  }
  return { leadOf, targets }
}

/** What becomes of a lead when its person is answered. */
function useAnswering(cursor: Cursor, way: ReturnType<typeof useWay>, isDouble: ReturnType<typeof useDoubles>) {
  const triage = useTriage()
  /** Done with it for now, though nothing may be decided yet: the next that waits comes up. */
  const leave = (item: LeadItem, handled?: readonly LeadRef[]) => {
    if (item.id === cursor.id) way.from(item, handled)
  }
  return {
    /** Somebody was reached for; after it the next comes up if the lead is done with for now. */
    noted: (attempted: Attempted) => {
      const { item, attempt } = attempted
      if (isDouble(item.id, attempt, SAME_PRESS_MS)) return
      void triage.note(attempted, way.goBack)
      if (isLeft(attempt)) leave(item)
    },
    leave,
    goBack: way.goBack,
  }
}

/** Tells and sends what is decided; of those that leave the list, with how many unhandled ones remain in it. */
function useAbout({ description, query, rows }: DecideOptions, onUndone: (leads: readonly LeadRef[]) => void) {
  const client = useQueryClient()
  const triage = useTriage()
  return (leads: readonly TriagedLead[], decision: TriageDecision) => {
    const ids = new Set(leads.map(({ id }) => id))
    const left = () => {
      const seen = rows.items().filter(({ id, triage: { status } }) => status === 'new' && !ids.has(id))
      const counts = client.getQueryData(listCounts(description.list, filterOf(query)).queryKey)
      return unhandledLeft(counts, query, seen.length)
    }
    // What is put aside is as unhandled as before.
    const isCounted = decision.status !== undefined && isLeft(decision)
    void triage.change(leads, decision, { left: isCounted ? left : undefined, onUndone })
  }
}

/** "I take it": under way, and by the person who says so, in one decision. */
function useTaken(): TriageDecision {
  const user = useCurrentUser()
  return { status: 'in-progress', ...(user !== null && { assignee: { id: user.id, name: user.name } }) }
}

type Left = { status?: LeadStatus | undefined; snoozeUntil?: string | null | undefined }

/** Whoever takes a lead stays with it; after any other status, and after putting it aside, the next one comes. */
function isLeft({ status, snoozeUntil }: Left): boolean {
  if (snoozeUntil) return true
  return status !== undefined && status !== 'in-progress'
}

/** A decision, or what came of an attempt. */
type Decided = { status?: LeadStatus | undefined; outcome?: AttemptOutcome | undefined }

/**
 * Whether the same decision was made a moment ago: about this lead, which the screen may not show as decided yet, or about
 * the one before, and nobody can have read this one.
 */
function useDoubles(shown: string | null) {
  const last = useRef<{ id: string; is: string; at: number } | null>(null)
  const seen = useRef({ id: shown, at: -Infinity })
  useLayoutEffect(() => {
    seen.current = { id: shown, at: Infinity }
    const frame = requestAnimationFrame((at) => {
      seen.current.at = at
    })
    return () => cancelAnimationFrame(frame)
  }, [shown])
  return (id: string, { status, outcome }: Decided, withinMs: number): boolean => {
    const is = `${status} ${outcome}`
    const before = last.current
    const now = performance.now()
    if (before !== null && before.is === is) {
      const since = before.id === id ? before.at : seen.current.at
      if (now - since < withinMs) return true
    }
    last.current = { id, is, at: now }
    return false
  }
}

/** The lead that the person is at, as it was on screen last. */
function useCurrent({ description, rows, cursor, openId }: DecideOptions): () => LeadItem | undefined {
  const client = useQueryClient()
  const shown = useRef<LeadItem | undefined>(undefined)
  useLayoutEffect(() => {
    if (cursor.openItem !== undefined) shown.current = cursor.openItem
  })
  return () => {
    if (openId === null) return rows.rowAt(cursor.index)
    const fetched = client.getQueryData<LeadPage>(oneLead(description.list, openId).queryKey)?.items[0]
    return cursor.openItem ?? fetched ?? (shown.current?.id === openId ? shown.current : undefined)
  }
}

/** The way on from a lead that is done with, and the way back to one whose decision is taken back. */
function useWay({ description, query, rows, cursor, openId, close }: DecideOptions) {
  /** The lead that was closed because none was left to go to. */
  const closed = useRef<string | null>(null)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const onNone = useStableCallback(({ id }: LeadItem) => {
    if (openId !== id) return
    closed.current = id
    close()
  })
  const advance = useAdvance({ description, query, rows, cursor, onNone })
  /** Whoever takes a decision back wants to see the lead again; on another screen, they stay there. */
  const goBack = useStableCallback(([only, ...others]: readonly LeadRef[]) => {
    advance.stop()
    if (!isHere.current || only === undefined || others.length > 0 || only.kind !== description.kind) return
    const found = rows.indexOf(only.id)
    const index = found === -1 ? Math.max(0, cursor.subject.place) : found
    if (closed.current === only.id) cursor.openAt(only.id, index)
    else cursor.goTo(only.id, index)
  })
  return { ...advance, goBack }
}

/** A row that was scrolled out of sight is shown first: a key must not decide about somebody whom nobody sees. */
function bringsIntoSight(index: number, list: HTMLElement | null): boolean {
  const row = document.getElementById(`row-${index}`)
  if (row === null || list === null) return false
  const [place, box] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
  const top = Math.max(0, box.top)
  const bottom = Math.min(window.innerHeight, box.bottom)
  if (place.bottom > top && place.top < bottom) return false
  row.scrollIntoView({ block: 'nearest' })
  return true
}

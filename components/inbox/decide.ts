import type { AttemptOutcome, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import type { Attempted } from '@/components/triage/note-attempt'
import type { Found } from '@/components/triage/next-lead'
import { usePending } from '@/components/triage/use-pending'
import { triageCode, useTriage } from '@/components/triage/use-triage'
import { isQueue, type LeadItem, type LeadListQuery, type LeadPage, oneLead, type Place } from '@/lib/api/leads'
import { isClosed, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { isHeavy } from '@/lib/inbox/list-state'
import { keyOf, kindOf, nameOf } from '@/lib/inbox/lead-text'
import { type LeadKey, leadKey, refOf } from '@/lib/leads/lead-key'
import { leavingReplies } from '@/lib/inbox/leaving-replies'
import { replyMarks } from '@/lib/inbox/reply-marks'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/undo-steps'
import { stockholmDay } from '@/lib/time/stockholm'
import type { ListRows } from './list-rows'
import { type Cursor, type Marked, useStableCallback } from './use-list-state'

type DecideOptions = {
  place: Place
  query: LeadListQuery
  rows: ListRows
  cursor: Cursor
  openId: LeadKey | null
  marked: Marked
  scroller: RefObject<HTMLElement | null>
  close: () => void
  ask: (question: HeavyDecision) => void
  askDrafts: (question: HeavyDecision) => void
}

export type HeavyDecision = { count: number; decision: TriageDecision; onYes: () => void }

export type PutAside = { count: number; item: LeadItem | undefined; onChoose: (day: string) => void }

/** Pressed again before a lead has been on screen this long, a key or button was meant for the lead before. */
const SAME_KEY_MS = 60
const SAME_PRESS_MS = 400

export function useDecide(options: DecideOptions) {
  const { cursor, openId, marked, ask, scroller } = options
  const triage = useTriage()
  const taken = useTaken()
  const [current, way, isDouble] = [useCurrent(options), useWay(options), useDoubles(cursor.id)]
  const about = useAbout(options, way.goBack)
  const unlessDraft = useDraftCheck(options.askDrafts)

  const { leadOf, targets } = targetsOf(options, current)
  const aboutMarked = (decision: TriageDecision, leads = targets()) => {
    const onYes = () => (about(leads, decision), marked.clear())
    const count = leads.length
    unlessDraft(leads, decision, () => (isHeavy(count) ? ask({ count, decision, onYes }) : onYes()))
  }
  const decideOn = (item: LeadItem, decision: TriageDecision, isAt = true) =>
    unlessDraft([leadOf(item)], decision, () => {
      about([leadOf(item)], decision)
      if (isAt && isLeft(decision)) way.from(item)
    })
  return {
    leadOf,
    targets,
    about,
    taken,
    /** About one lead; the next that waits comes up in its place if it is the one that the person is at. */
    aboutOne: (item: LeadItem, decision: TriageDecision, isDone = true) => {
      if (isDone && isDouble(keyOf(item), decision, SAME_PRESS_MS)) return
      decideOn(item, decision, isDone && keyOf(item) === cursor.id)
    },
    ...useAnswering(cursor, way, isDouble),
    aboutTargets: (decision: TriageDecision) => {
      if (marked.ids.size > 0) return aboutMarked(decision)
      const item = current()
      if (item === undefined || isDouble(keyOf(item), decision, SAME_KEY_MS)) return
      if (openId === null && bringsIntoSight(cursor.index, scroller.current)) return
      decideOn(item, decision)
    },
    putAside: (item = marked.ids.size > 0 ? undefined : current()): PutAside => {
      const leads = item === undefined ? targets() : [leadOf(item)]
      const onChoose = (snoozeUntil: string) => {
        about(leads, { snoozeUntil })
        if (item === undefined) marked.clear()
        else if (keyOf(item) === cursor.id) way.from(item)
      }
      return { count: leads.length, item, onChoose }
    },
    undo: () => {
      way.stop()
      if (!leavingReplies.takeBack()) void triage.undo(way.goBack)
    },
  }
}

/** A lead is not closed over a reply that was not sent, unless the user throws that away. */
function useDraftCheck(ask: DecideOptions['askDrafts']) {
  const owner = useCurrentUser()?.id ?? ''
  return (leads: readonly TriagedLead[], decision: TriageDecision, go: () => void): void => {
    const storage = window.sessionStorage
    const begun = isClosed(decision.status) ? leads.filter((lead) => replyMarks.has(storage, owner, lead)) : []
    if (begun.length === 0) return go()
    const onYes = () => {
      for (const lead of begun) replyMarks.forget(storage, owner, lead)
      go()
    }
    ask({ count: begun.length, decision, onYes })
  }
}

function targetsOf({ rows, marked }: DecideOptions, current: () => LeadItem | undefined) {
  const leadOf = (item: LeadItem): TriagedLead => {
    const { id, triage, snoozeUntil } = item
    return {
      kind: kindOf(item),
      id,
      triage: { ...triage, snoozeUntil },
      item,
      name: nameOf(item),
      school: item.highSchoolId,
    }
  }
  const targets = (): readonly TriagedLead[] => {
    const item = marked.ids.size > 0 ? undefined : current()
    if (item !== undefined) return [leadOf(item)]
    const loaded = new Map(rows.items().map((one) => [keyOf(one), leadOf(one)]))
    return [...marked.ids].map((key) => loaded.get(key) ?? refOf(key))
  }
  return { leadOf, targets }
}

function useAnswering(cursor: Cursor, way: ReturnType<typeof useWay>, isDouble: ReturnType<typeof useDoubles>) {
  const triage = useTriage()
  const leave = (item: LeadItem, handled?: readonly LeadRef[]) => {
    if (keyOf(item) === cursor.id) way.from(item, handled)
  }
  return {
    noted: (attempted: Attempted) => {
      const { item, attempt } = attempted
      if (isDouble(keyOf(item), attempt, SAME_PRESS_MS)) return
      void triage.note(attempted, way.goBack)
      if (isLeft(attempt)) leave(item)
    },
    leave,
    goBack: way.goBack,
  }
}

function useAbout({ place, query, rows }: DecideOptions, onUndone: (leads: readonly LeadRef[]) => void) {
  const client = useQueryClient()
  const { readPending } = usePending()
  const triage = useTriage()
  return (leads: readonly TriagedLead[], decision: TriageDecision) => {
    const left = () => triageCode.read()?.newLeft({ client, readPending, list: place, query, rows }, leads)
    // What is put aside is as unhandled as before.
    const isCounted = decision.status !== undefined && isLeft(decision)
    void triage.change(leads, decision, { left: isCounted ? left : undefined, onUndone })
  }
}

function useTaken(): TriageDecision {
  const user = useCurrentUser()
  return { status: 'in-progress', ...(user !== null && { assignee: { id: user.id, name: user.name } }) }
}

type Left = { status?: LeadStatus | undefined; snoozeUntil?: string | null | undefined }

/** A person who takes a lead stays with it; after any other status, and putting it aside, the next one comes. */
function isLeft({ status, snoozeUntil }: Left): boolean {
  if (snoozeUntil) return true
  return status !== undefined && status !== 'in-progress'
}

type Decided = { status?: LeadStatus | undefined; outcome?: AttemptOutcome | undefined }

/** Whether the same decision was made a moment ago: about this lead, or the one before, too soon to have read this. */
function useDoubles(shown: LeadKey | null) {
  const last = useRef<{ id: LeadKey; is: string; at: number } | null>(null)
  const seen = useRef({ id: shown, at: -Infinity })
  useLayoutEffect(() => {
    seen.current = { id: shown, at: Infinity }
    const frame = requestAnimationFrame((at) => {
      seen.current.at = at
    })
    return () => cancelAnimationFrame(frame)
  }, [shown])
  return (id: LeadKey, { status, outcome }: Decided, withinMs: number): boolean => {
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

function useCurrent({ rows, cursor, openId }: DecideOptions): () => LeadItem | undefined {
  const client = useQueryClient()
  const { readPending } = usePending()
  const shown = useRef<LeadItem | undefined>(undefined)
  useLayoutEffect(() => {
    if (cursor.openItem !== undefined) shown.current = cursor.openItem
  })
  return () => {
    if (openId === null) return rows.rowAt(cursor.index)
    const { kind, id } = refOf(openId)
    const page = client.getQueryData<LeadPage>(oneLead(LISTS_BY_KIND[kind].list, id).queryKey)
    const fetched = page && readPending().page(page).items[0]
    const seen = shown.current
    return cursor.openItem ?? fetched ?? (seen !== undefined && keyOf(seen) === openId ? seen : undefined)
  }
}

/** The way on from a lead that is done with, to the next that waits; and the way back when its decision is undone. */
function useWay({ place, query, rows, cursor, openId, close }: DecideOptions) {
  const [client, me, { readPending }] = [useQueryClient(), useCurrentUser()?.id ?? null, usePending()]
  const closed = useRef<LeadKey | null>(null)
  const at = useRef<LeadKey | null>(null)
  const isHere = useRef(true)
  const turns = useRef(0)
  useLayoutEffect(() => {
    at.current = cursor.id
  })
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const stop = () => {
    turns.current += 1
  }
  const onNone = useStableCallback((item: LeadItem) => {
    if (openId === null || openId !== keyOf(item)) return
    closed.current = openId
    close()
  })
  return {
    stop,
    /** `handled`: what was decided about with it, which the rows may not show yet. */
    from: (item: LeadItem, handled: readonly LeadRef[] = []) => {
      const turn = ++turns.current
      const go = (found: Found) => {
        if (turn !== turns.current || at.current !== keyOf(item) || found === 'too far') return
        if (found === 'none') onNone(item)
        else cursor.goTo(keyOf(found.item), found.index)
      }
      const search = { today: stockholmDay(Date.now()), me, client, readPending, list: place, query, rows, handled }
      const found = triageCode.read()?.nextUnhandled(search, cursor.subject.place)
      if (found !== undefined && !(found instanceof Promise)) return go(found)
      const looked =
        found ?? triageCode.want().then((code) => code?.nextUnhandled(search, cursor.subject.place) ?? 'too far')
      looked.then(go, () => {})
    },
    goBack: useStableCallback(([only, ...others]: readonly LeadRef[]) => {
      stop()
      if (!isHere.current || only === undefined || others.length > 0) return
      if (!isQueue(place) && only.kind !== LISTS[place].kind) return
      const key = leadKey(only)
      const found = rows.indexOf(key)
      const index = found === -1 ? Math.max(0, cursor.subject.place) : found
      cursor[closed.current === key ? 'openAt' : 'goTo'](key, index)
    }),
  }
}

/** A row that was scrolled out of sight is shown first: a key must not decide about a lead out of sight. */
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

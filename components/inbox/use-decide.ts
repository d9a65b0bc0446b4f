import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { createShownState, type ShownState } from '@/components/ui/shown-state'
import { useCurrentUser } from '@/components/app/current-user'
import { isWriting } from '@/components/app/opening'
import type { Attempted } from '@/components/app/triage'
import { readOwnChanges, useTriage } from '@/components/app/use-triage'
import { isQueue, type LeadItem, type LeadPage, oneLead } from '@/lib/api/leads'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import { isClosed, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { keyOf } from '@/lib/inbox/lead-text'
import { isHeavy } from '@/lib/inbox/list-state'
import { outbox } from '@/lib/inbox/outbox'
import { foldPage, type TriageDecision, type TriagedLead } from '@/lib/inbox/own-changes'
import { replyMarks } from '@/lib/inbox/reply-marks'
import { type LeadKey, leadKey, refOf } from '@/lib/leads/lead-key'
import { stockholmDay } from '@/lib/time/stockholm'
import { cursorIn, type InboxDialog, type Latest, leadOf, markedIn, marksIn, matchingIn } from './inbox-state'
import type { Found } from './next-lead'

const loadNextLead = () => import('./next-lead')

type Screen = {
  openAt: (id: LeadKey, index: number) => void
  goTo: (id: LeadKey, index: number) => void
  close: () => void
  unmark: () => void
  ask: (dialog: InboxDialog) => void
  setChanging: (count: number | null) => void
  scroller: RefObject<HTMLElement | null>
}

/** The lead that keys act on: since when (ms of `performance.now`) it has been on screen, and what it was when it was last listed. */
type Subject = { id: LeadKey | null; shownAt: number; item: LeadItem | undefined }

type Parts = {
  latest: Latest
  client: QueryClient
  triage: ReturnType<typeof useTriage>
  user: ReturnType<typeof useCurrentUser>
  /** Null once the user has gone to another screen. */
  screen: ShownState<Screen | null>
  subject: ShownState<Subject>
}

/** What is decided about leads of a list, the way on to the next one, and the way back. */
export function useDecide(latest: Latest, { id, openItem }: ReturnType<typeof cursorIn>, its: Screen) {
  const client = useQueryClient()
  const triage = useTriage()
  const user = useCurrentUser()
  const [screen] = useState(() => createShownState<Screen | null>(null))
  const [subject] = useState(() => createShownState<Subject>({ id: null, shownAt: Infinity, item: undefined }))
  useLayoutEffect(() => {
    subject.show({ id, shownAt: Infinity, item: undefined })
    const frame = requestAnimationFrame((shownAt) => subject.show({ ...subject.read(), shownAt }))
    return () => cancelAnimationFrame(frame)
  }, [subject, id])
  useEffect(() => {
    screen.show(its)
    if (openItem !== undefined) subject.show({ ...subject.read(), item: openItem })
  })
  useEffect(() => {
    // What is on screen can be decided about, and the next one found, also if the network goes the moment after.
    loadNextLead().catch(() => {})
    return () => screen.show(null)
  }, [screen])
  return useMemo(() => {
    const parts = { latest, client, triage, user, screen, subject }
    return createDecide(parts, createWay(parts))
  }, [latest, client, triage, user, screen, subject])
}

/** On to the next lead that waits, and back to one whose decision is taken back. */
function createWay({ latest, client, user, screen }: Parts) {
  /** Counts the ways taken: what is found late for one that is over leads nowhere. */
  let turns = 0
  let closed: LeadKey | null = null
  const stay = () => {
    turns += 1
  }
  /** If the user is at this lead. `handled`: decided about with it, which the rows may not show yet. */
  const leave = (item: LeadItem, handled: readonly LeadRef[] = []): void => {
    const { place: list, filters, rows } = latest.read()
    const { id, from } = cursorIn(latest.read())
    if (id !== keyOf(item)) return
    const turn = ++turns
    const go = (found: Found) => {
      const now = cursorIn(latest.read())
      if (turn !== turns || now.id !== id || found === 'too far') return
      if (found !== 'none') return screen.read()?.goTo(keyOf(found.item), found.index)
      if (now.openId !== id) return
      closed = id
      screen.read()?.close()
    }
    const search = { today: stockholmDay(Date.now()), me: user?.id ?? null, client, list, query: filters.query, rows }
    const find = async () => {
      const { nextUnhandled } = await loadNextLead()
      const found = nextUnhandled({ ...search, handled }, from)
      if (!(found instanceof Promise)) return go(found)
      const late = await found
      // What the user has begun meanwhile keeps its lead.
      if (!isWriting()) go(late)
    }
    find().catch(() => {})
  }
  const goBack = ([only, ...others]: readonly LeadRef[]): void => {
    stay()
    const { place, rows } = latest.read()
    if (only === undefined || others.length > 0) return
    if (!isQueue(place) && only.kind !== LISTS[place].kind) return
    const key = leadKey(only)
    const found = rows.indexOf(key)
    const index = found === -1 ? Math.max(0, cursorIn(latest.read()).from) : found
    screen.read()?.[closed === key ? 'openAt' : 'goTo'](key, index)
  }
  return { leave, goBack, stay }
}

/** Pressed again before a lead has been on screen this long, a key or button was meant for the lead before. */
const SAME_KEY_MS = 60
const SAME_PRESS_MS = 400

function createDecide(parts: Parts, { leave, goBack, stay }: ReturnType<typeof createWay>) {
  const { latest, triage, user, screen } = parts
  const isDouble = createDoubleCheck(parts)
  const ask = (dialog: InboxDialog) => screen.read()?.ask(dialog)
  const change = (leads: readonly TriagedLead[], decision: TriageDecision): void => {
    triage.change(leads, decision, { onUndone: goBack })
  }
  const changeOne = (item: LeadItem, decision: TriageDecision): void => {
    change([leadOf(item)], decision)
    if (isDone(decision)) leave(item)
  }
  const changeMarked = async (decision: TriageDecision): Promise<void> => {
    const { list, changing } = latest.read()
    const matching = list.marks.isAll ? matchingIn(latest.read()) : null
    let isChanged = true
    if (matching === null) change(markedIn(latest.read()), decision)
    else if (changing !== null) return
    else {
      screen.read()?.setChanging(marksIn(latest.read()).count)
      isChanged = await triage.changeMatching(matching, decision)
      screen.read()?.setChanging(null)
    }
    // Who is to answer them can be decided about the same leads once more.
    if (isChanged && (decision.status ?? decision.snoozeUntil) !== undefined) screen.read()?.unmark()
  }
  /** A lead is not closed over a reply that was not sent, unless the user throws that away. */
  const unlessDraft = (leads: readonly TriagedLead[], decision: TriageDecision, onYes: () => void): void => {
    const hasDraft = (lead: LeadRef) => replyMarks.has(window.sessionStorage, user?.id ?? '', lead)
    const begun = isClosed(decision.status) ? leads.filter(hasDraft) : []
    if (begun.length === 0) onYes()
    else ask({ kind: 'drafts', leads: begun, count: begun.length, decision, onYes })
  }
  const askAbout = (kind: 'assign' | 'put-aside') => (given?: LeadItem) => {
    const { isAny, count } = marksIn(latest.read())
    const item = given ?? (isAny ? undefined : currentItem(parts))
    if (item !== undefined || isAny) ask({ kind, item, count: item === undefined ? count : 1 })
  }
  const taken: TriageDecision = { status: 'in-progress', ...(user && { assignee: { id: user.id, name: user.name } }) }
  return {
    taken,
    leave,
    goBack,
    changeOne,
    changeMarked,
    askAssign: askAbout('assign'),
    askPutAside: askAbout('put-aside'),
    /** By a button: about this lead. */
    one: (item: LeadItem, decision: TriageDecision): void => {
      if (isDouble(keyOf(item), decision, SAME_PRESS_MS)) return
      unlessDraft([leadOf(item)], decision, () => changeOne(item, decision))
    },
    /** By a key: about what is marked, else the lead that keys act on. */
    targets: (decision: TriageDecision): void => {
      const { isAny, count } = marksIn(latest.read())
      if (isAny) {
        const onYes = () => void changeMarked(decision)
        const proceed = () => (isHeavy(count) ? ask({ kind: 'confirm', count, decision, onYes }) : onYes())
        return unlessDraft(markedIn(latest.read()), decision, proceed)
      }
      const item = currentItem(parts)
      if (item === undefined || isDouble(keyOf(item), decision, SAME_KEY_MS)) return
      const { openId, row } = cursorIn(latest.read())
      if (openId === null && bringsIntoSight(row, screen.read()?.scroller.current ?? null)) return
      unlessDraft([leadOf(item)], decision, () => changeOne(item, decision))
    },
    noted: (attempted: Attempted): void => {
      const { item, attempt } = attempted
      if (isDouble(keyOf(item), attempt, SAME_PRESS_MS)) return
      triage.note(attempted, goBack)
      if (isDone(attempt)) leave(item)
    },
    undo: (): void => {
      stay()
      if (!outbox.takeBackLast()) triage.undo(goBack)
    },
  }
}

/** A person who takes a lead stays with it; after any other status, and putting it aside, the next one comes. */
function isDone({ status, snoozeUntil }: { status?: LeadStatus | undefined; snoozeUntil?: string | null | undefined }) {
  return Boolean(snoozeUntil) || (status !== undefined && status !== 'in-progress')
}

/** Whether the same was decided a moment ago: about this lead, or the one before, too soon to have read this. */
function createDoubleCheck({ subject }: Parts) {
  let last: { id: LeadKey; decision: string; time: number } | null = null
  return (id: LeadKey, decided: TriageDecision | Attempted['attempt'], withinMs: number): boolean => {
    const { status, outcome } = { outcome: undefined, ...decided }
    const [decision, time] = [`${status} ${outcome}`, performance.now()]
    const { id: shownId, shownAt } = subject.read()
    // What is not on screen yet cannot have been read.
    const onScreenSince = shownId === id ? shownAt : Infinity
    const since = last?.id === id ? last.time : onScreenSince
    if (last?.decision === decision && time - since < withinMs) return true
    last = { id, decision, time }
    return false
  }
}

function currentItem({ latest, client, subject }: Parts): LeadItem | undefined {
  const { row, openItem, openId } = cursorIn(latest.read())
  if (openId === null) return latest.read().rows.rowAt(row)
  const { kind, id } = refOf(openId)
  const page = client.getQueryData<LeadPage>(oneLead(LISTS_BY_KIND[kind].list, id).queryKey)
  const fetched = page && foldPage(readOwnChanges(client), page).items[0]
  return openItem ?? fetched ?? (subject.read().id === openId ? subject.read().item : undefined)
}

/** A row that was scrolled out of sight is shown first: a key must not decide about a lead out of sight. */
function bringsIntoSight(index: number, list: HTMLElement | null): boolean {
  const row = document.getElementById(`row-${index}`)
  if (row === null || list === null) return false
  const [place, box] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
  if (place.bottom > Math.max(0, box.top) && place.top < Math.min(window.innerHeight, box.bottom)) return false
  row.scrollIntoView({ block: 'nearest' })
  return true
}

import type { QueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { LazyCode } from '@/components/browser/lazy-code'
import type { ShownState } from '@/components/browser/shown-state'
import type { useCurrentUser } from '@/components/desk/current-user'
import { isWriting } from '@/components/desk/opening'
import type { Found } from '@/components/triage/next-lead'
import type { Attempted } from '@/components/triage/note-attempt'
import { triageCode, type useTriage } from '@/components/triage/use-triage'
import { isQueue, type LeadItem, type LeadPage, oneLead } from '@/lib/api/leads'
import type { AttemptOutcome, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { isClosed, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { keyOf } from '@/lib/inbox/lead-text'
import { outbox } from '@/lib/inbox/outbox'
import type { Pending } from '@/lib/inbox/pending'
import { replyMarks } from '@/lib/inbox/reply-marks'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/undo-steps'
import { type LeadKey, leadKey, refOf } from '@/lib/leads/lead-key'
import { stockholmDay } from '@/lib/time/stockholm'
import { cursorIn, type InboxDialog, type InboxState, leadOf, marksIn } from './inbox-state'
import type * as Several from './leads-of-list'

export type DecideServices = {
  client: QueryClient
  readPending: () => Pending
  triage: ReturnType<typeof useTriage>
  user: ReturnType<typeof useCurrentUser>
  several: LazyCode<Pick<typeof Several, 'changeMarked' | 'decideMarked' | 'keysBetween' | 'rangeTo'>>
}

type Moves = {
  openAt: (id: LeadKey, index: number) => void
  goTo: (id: LeadKey, index: number) => void
  close: () => void
  unmark: () => void
  ask: (dialog: InboxDialog) => void
  scroller: RefObject<HTMLElement | null>
  /** Null once the user has gone to another screen. */
  panes: RefObject<HTMLElement | null>
}

type Inbox = ShownState<InboxState>

/** Pressed again before a lead has been on screen this long, a key or button was meant for the lead before. */
const SAME_KEY_MS = 60
const SAME_PRESS_MS = 400

export function createDecide(inbox: Inbox, services: DecideServices, moves: Moves) {
  const { user, triage } = services
  const seen = createSeen(inbox, services)
  const way = createWay(inbox, services, moves)
  const about = createAbout(inbox, services, moves, way)
  const asking = createAsking(inbox, moves, seen)
  const marked = { inbox, moves, triage, about }
  const taken: TriageDecision = {
    status: 'in-progress',
    ...(user !== null && { assignee: { id: user.id, name: user.name } }),
  }
  return {
    ...createDeciding(inbox, moves, about, seen, (decision) => {
      void services.several.want().then((code) => code?.decideMarked(marked, decision))
    }),
    /** About what is marked, without asking. */
    aboutMarked: async (decision: TriageDecision) => (await services.several.want())?.changeMarked(marked, decision),
    about,
    askAssign: asking('assign'),
    askPutAside: asking('put-aside'),
    taken,
    noted: (attempted: Attempted) => {
      const { item, attempt } = attempted
      if (seen.isDouble(keyOf(item), attempt, SAME_PRESS_MS)) return
      void triage.note(attempted, way.goBack)
      if (isLeft(attempt)) way.leave(item)
    },
    leave: way.leave,
    goBack: way.goBack,
    undo: () => {
      way.stop()
      if (!outbox.takeBackLast()) void triage.undo(way.goBack)
    },
  }
}

function createDeciding({ read }: Inbox, { scroller }: Moves, about: About, seen: Seen, aboutMarked: AboutMarked) {
  const decideOn = (item: LeadItem, decision: TriageDecision) =>
    about.unlessDraft([leadOf(item)], decision, () => about.one(item, decision))
  return {
    /** About one lead; the next that waits comes up in its place if it is the one that the person is at. */
    aboutOne: (item: LeadItem, decision: TriageDecision) => {
      if (!seen.isDouble(keyOf(item), decision, SAME_PRESS_MS)) decideOn(item, decision)
    },
    aboutTargets: (decision: TriageDecision) => {
      const state = read()
      if (marksIn(state).isAny) return aboutMarked(decision)
      const item = seen.current()
      if (item === undefined || seen.isDouble(keyOf(item), decision, SAME_KEY_MS)) return
      if (state.list.openId === null && bringsIntoSight(cursorIn(state).row, scroller.current)) return
      decideOn(item, decision)
    },
  }
}

type AboutMarked = (decision: TriageDecision) => void

/** Asks whom to assign to, or until when to put aside: this lead, or else what is marked or open. */
function createAsking({ read }: Inbox, { ask }: Moves, { current }: Seen) {
  return (is: 'assign' | 'put-aside') => (given?: LeadItem) => {
    const { isAny, count } = marksIn(read())
    const item = given ?? (isAny ? undefined : current())
    if (item !== undefined || isAny) ask({ is, item, count: item === undefined ? count : 1 })
  }
}

type About = ReturnType<typeof createAbout>

function createAbout({ read }: Inbox, services: DecideServices, { ask }: Moves, way: Way) {
  const { client, readPending, triage, user } = services
  const leads = (chosen: readonly TriagedLead[], decision: TriageDecision) => {
    const { place: list, filters, rows } = read()
    const left = () => triageCode.read()?.newLeft({ client, readPending, list, query: filters.query, rows }, chosen)
    // What is put aside is as unhandled as before.
    const isCounted = decision.status !== undefined && isLeft(decision)
    void triage.change(chosen, decision, { left: isCounted ? left : undefined, onUndone: way.goBack })
  }
  return {
    leads,
    one: (item: LeadItem, decision: TriageDecision) => {
      leads([leadOf(item)], decision)
      if (isLeft(decision)) way.leave(item)
    },
    /** A lead is not closed over a reply that was not sent, unless the user throws that away. */
    unlessDraft: (chosen: readonly TriagedLead[], decision: TriageDecision, onYes: () => void): void => {
      const hasDraft = (lead: TriagedLead) => replyMarks.has(window.sessionStorage, user?.id ?? '', lead)
      const begun = isClosed(decision.status) ? chosen.filter(hasDraft) : []
      if (begun.length === 0) onYes()
      else ask({ is: 'drafts', leads: begun, count: begun.length, decision, onYes })
    },
  }
}

type Left = { status?: LeadStatus | undefined; snoozeUntil?: string | null | undefined }

/** A person who takes a lead stays with it; after any other status, and putting it aside, the next one comes. */
function isLeft({ status, snoozeUntil }: Left): boolean {
  if (snoozeUntil) return true
  return status !== undefined && status !== 'in-progress'
}

type Decided = { status?: LeadStatus | undefined; outcome?: AttemptOutcome | undefined }

type Seen = ReturnType<typeof createSeen>

/** What has been on screen: which lead is decided about, and since when the user can have read it. */
function createSeen({ read, subscribe }: Inbox, { client, readPending }: DecideServices) {
  let last: { id: LeadKey; is: string; at: number } | null = null
  let open: LeadItem | undefined
  let shown: { id: LeadKey | null; at: number } = { id: null, at: -Infinity }
  const look = () => {
    const { id, openItem = open } = cursorIn(read())
    open = openItem
    if (id === shown.id) return
    const now = { id, at: Infinity }
    shown = now
    requestAnimationFrame((at) => (now.at = at))
  }
  subscribe(look)
  return {
    current: (): LeadItem | undefined => {
      const state = read()
      const { openId } = state.list
      const { row, openItem } = cursorIn(state)
      if (openId === null) return state.rows.rowAt(row)
      const { kind, id } = refOf(openId)
      const page = client.getQueryData<LeadPage>(oneLead(LISTS_BY_KIND[kind].list, id).queryKey)
      const fetched = page && readPending().page(page).items[0]
      return openItem ?? fetched ?? (open !== undefined && keyOf(open) === openId ? open : undefined)
    },
    /** Whether the same decision was made a moment ago: about this lead, or the one before, too soon to have read this. */
    isDouble: (id: LeadKey, { status, outcome }: Decided, withinMs: number): boolean => {
      const is = `${status} ${outcome}`
      const now = performance.now()
      if (last?.is === is && now - (last.id === id ? last.at : shown.at) < withinMs) return true
      last = { id, is, at: now }
      return false
    },
  }
}

type Way = ReturnType<typeof createWay>

/** The way on from a lead that is done with, to the next that waits; and the way back when its decision is undone. */
function createWay({ read }: Inbox, { client, readPending, user }: DecideServices, moves: Moves) {
  let closed: LeadKey | null = null
  let turns = 0
  const stop = () => {
    turns += 1
  }
  return {
    stop,
    /** If the user is at it. `handled`: what was decided about with it, which the rows may not show yet. */
    leave: (item: LeadItem, handled: readonly LeadRef[] = []) => {
      const { place: list, filters, rows } = read()
      const { id, place } = cursorIn(read())
      if (id !== keyOf(item)) return
      const turn = ++turns
      const go = (found: Found) => {
        const now = read()
        if (turn !== turns || cursorIn(now).id !== id || found === 'too far') return
        if (found !== 'none') return moves.goTo(keyOf(found.item), found.index)
        if (now.list.openId !== id) return
        closed = id
        moves.close()
      }
      const today = stockholmDay(Date.now())
      const me = user?.id ?? null
      const search = { today, me, client, readPending, list, query: filters.query, rows, handled }
      const look = (code: ReturnType<typeof triageCode.read>) => code?.nextUnhandled(search, place)
      const found = look(triageCode.read())
      if (found !== undefined && !(found instanceof Promise)) return go(found)
      const looked = found ?? triageCode.want().then(look)
      // Found late: what the user has begun meanwhile keeps its lead.
      looked.then(
        (late) => late && !isWriting() && go(late),
        () => {},
      )
    },
    goBack: ([only, ...others]: readonly LeadRef[]) => {
      stop()
      const state = read()
      const { place, rows } = state
      if (moves.panes.current === null || only === undefined || others.length > 0) return
      if (!isQueue(place) && only.kind !== LISTS[place].kind) return
      const key = leadKey(only)
      const found = rows.indexOf(key)
      const index = found === -1 ? Math.max(0, cursorIn(state).place) : found
      moves[closed === key ? 'openAt' : 'goTo'](key, index)
    },
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

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { isWriting } from '@/components/app/opening'
import type { Attempted } from '@/components/app/triage'
import { readOwnChanges, useTriage } from '@/components/app/use-triage'
import { createShownState, type ShownState } from '@/components/ui/shown-state'
import { isQueue, type LeadItem, type LeadPage, singleLeadQuery } from '@/lib/api/leads'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import { isClosed, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { needsConfirmation } from '@/lib/inbox/list-state'
import { patchPage, type TriageDecision, type TriagedLead } from '@/lib/inbox/own-changes'
import { draftIndex } from '@/lib/inbox/reply-marks'
import { type LeadKey, leadKey, parseLeadKey } from '@/lib/leads/lead-key'
import { stockholmDay } from '@/lib/time/stockholm'
import { cursorIn, type InboxDialog, type Latest, leadOf, markedIn, marksIn, matchingIn } from './inbox-state'
import type { Moves } from './move-and-mark'

const loadNextLead = () => import('./next-lead')

type Parts = {
  latest: Latest
  acts: Moves & {
    unmark: () => void
    showDialog: (dialog: InboxDialog) => void
    setChanging: (count: number | null) => void
  }
  client: QueryClient
  triage: ReturnType<typeof useTriage>
  user: ReturnType<typeof useCurrentUser>
  subject: ShownState<Subject>
}

/** The lead that keys act on: since when (ms of `performance.now`) it has been on screen, and what it was when last listed. */
type Subject = { id: LeadKey | null; shownAt: number; item?: LeadItem }

/** Actions that decide about leads, go on to the next lead, and go back when a decision is undone. */
export function useDecide(latest: Latest, acts: Parts['acts'], { id, openItem }: ReturnType<typeof cursorIn>) {
  const client = useQueryClient()
  const triage = useTriage()
  const user = useCurrentUser()
  // The code is loaded at once, so that the next lead is found even when the network fails later.
  useEffect(() => void loadNextLead().catch(() => {}), [])
  const [subject] = useState(() => createShownState<Subject>({ id: null, shownAt: Infinity }))
  useLayoutEffect(() => {
    subject.show({ id, shownAt: Infinity })
    const frame = requestAnimationFrame((shownAt) => subject.show({ ...subject.read(), shownAt }))
    return () => cancelAnimationFrame(frame)
  }, [subject, id])
  useEffect(() => {
    if (openItem !== undefined) subject.show({ ...subject.read(), item: openItem })
  })
  return useMemo(() => {
    const parts = { latest, acts, client, triage, user, subject }
    return createDecide(parts, createWay(parts))
  }, [latest, acts, client, triage, user, subject])
}

/** Goes on to the next lead that waits, and back to a lead whose decision is undone. */
function createWay({ latest, acts, client, user }: Parts) {
  let closed: LeadKey | null = null
  const goOn = async (id: LeadKey, handled: readonly LeadRef[]) => {
    const isLatest = acts.beginTurn()
    const wasWriting = isWriting()
    const { place, filters, rows } = latest.read()
    const search = { today: stockholmDay(Date.now()), me: user?.id ?? null, client, place, query: filters.query, rows }
    const { origin } = cursorIn(latest.read())
    const { nextUnhandled } = await loadNextLead()
    const found = await nextUnhandled({ ...search, handled }, origin)
    const now = cursorIn(latest.read())
    // The user stays where they have begun something else meanwhile.
    const isOver = !isLatest() || now.id !== id || (isWriting() && !wasWriting)
    if (isOver || found === 'too far') return
    if (found !== 'none') return acts.goTo(toLeadKey(found.item), found.index)
    if (now.openId !== id) return
    closed = id
    acts.close()
  }
  return {
    /** Goes on if the user is at this lead. `handled` names leads decided about with it, which the rows may not show yet. */
    leaveLead: (item: LeadItem, handled: readonly LeadRef[] = []): void => {
      const id = toLeadKey(item)
      if (cursorIn(latest.read()).id === id) goOn(id, handled).catch(() => {})
    },
    returnToLead: ([only, ...others]: readonly LeadRef[]): void => {
      acts.beginTurn()
      const { place, rows } = latest.read()
      if (only === undefined || others.length > 0) return
      if (!isQueue(place) && only.kind !== LISTS[place].kind) return
      const key = leadKey(only)
      const found = rows.indexOf(key)
      const index = found === -1 ? Math.max(0, cursorIn(latest.read()).origin) : found
      if (closed === key) acts.openAt(key, index)
      else acts.goTo(key, index)
    },
  }
}

/** A key or button that is pressed again before a lead has been on screen this long was meant for the lead before. */
const SAME_KEY_MS = 60
const SAME_PRESS_MS = 400

function createDecide(parts: Parts, { leaveLead, returnToLead }: ReturnType<typeof createWay>) {
  const { latest, acts, triage, user, subject } = parts
  let last: { id: LeadKey; decision: string; time: number } | null = null
  /** Whether the same was decided a moment ago: about this lead, or the one before, too soon to have read this. */
  const isDouble = (id: LeadKey, decided: TriageDecision | Attempted['attempt'], withinMs: number): boolean => {
    const { status, outcome } = { outcome: undefined, ...decided }
    const [decision, time] = [`${status} ${outcome}`, performance.now()]
    // What is not on screen yet cannot have been read.
    const onScreenSince = subject.read().id === id ? subject.read().shownAt : Infinity
    const since = last?.id === id ? last.time : onScreenSince
    if (last?.decision === decision && time - since < withinMs) return true
    last = { id, decision, time }
    return false
  }
  const changeOne = (item: LeadItem, decision: TriageDecision): void => {
    triage.change([leadOf(item)], decision, { onUndone: returnToLead })
    if (isDone(decision)) leaveLead(item)
  }
  const changeMarked = async (decision: TriageDecision): Promise<void> => {
    const { list, changing } = latest.read()
    const matching = list.marks.isAll ? matchingIn(latest.read()) : null
    let isChanged = true
    if (matching === null) triage.change(markedIn(latest.read()), decision, { onUndone: returnToLead })
    else if (changing !== null) return
    else {
      acts.setChanging(marksIn(latest.read()).count)
      isChanged = await triage.changeMatching(matching, decision)
      acts.setChanging(null)
    }
    // The marks stay after an assignment, so that users can decide more about the same leads.
    if (isChanged && (decision.status ?? decision.snoozeUntil) !== undefined) acts.unmark()
  }
  /** A lead with an unsent reply is closed only when the user discards the reply. */
  const unlessDraft = (leads: readonly TriagedLead[], decision: TriageDecision, onYes: () => void): void => {
    const hasDraft = (lead: LeadRef) => draftIndex.hasReplyDraft(window.sessionStorage, user?.id ?? '', lead)
    const begun = isClosed(decision.status) ? leads.filter(hasDraft) : []
    if (begun.length === 0) onYes()
    else acts.showDialog({ kind: 'drafts', leads: begun, count: begun.length, decision, onYes })
  }
  const askAbout = (kind: 'assign' | 'put-aside') => (given?: LeadItem) => {
    const { isAny, count } = marksIn(latest.read())
    const item = given ?? (isAny ? undefined : currentItem(parts))
    if (item !== undefined || isAny) acts.showDialog({ kind, item, count: item === undefined ? count : 1 })
  }
  const taken: TriageDecision = { status: 'in-progress', ...(user && { assignee: { id: user.id, name: user.name } }) }
  return {
    taken,
    leaveLead,
    returnToLead,
    changeOne,
    changeMarked,
    askAssign: askAbout('assign'),
    askPutAside: askAbout('put-aside'),
    /** A button decides about its lead. */
    decideOne: (item: LeadItem, decision: TriageDecision): void => {
      if (isDouble(toLeadKey(item), decision, SAME_PRESS_MS)) return
      unlessDraft([leadOf(item)], decision, () => changeOne(item, decision))
    },
    /** A key decides about the marked leads, or else about the lead that keys act on. */
    decideTargets: (decision: TriageDecision): void => {
      const { isAny, count } = marksIn(latest.read())
      if (isAny) {
        const onYes = () => void changeMarked(decision)
        const proceed = () => (needsConfirmation(count) ? acts.showDialog({ kind: 'confirm', count, decision, onYes }) : onYes())
        return unlessDraft(markedIn(latest.read()), decision, proceed)
      }
      const item = currentItem(parts)
      if (item === undefined || isDouble(toLeadKey(item), decision, SAME_KEY_MS)) return
      const { openId, row } = cursorIn(latest.read())
      if (openId === null && bringsIntoSight(row, acts.scroller.current)) return
      unlessDraft([leadOf(item)], decision, () => changeOne(item, decision))
    },
    noteAttempt: (attempted: Attempted): void => {
      const { item, attempt } = attempted
      if (isDouble(toLeadKey(item), attempt, SAME_PRESS_MS)) return
      triage.note(attempted, returnToLead)
      if (isDone(attempt)) leaveLead(item)
    },
    undo: (): void => {
      acts.beginTurn()
      triage.undo(returnToLead)
    },
  }
}

/** A person who takes a lead stays with it; after any other status, and putting it aside, the next one comes. */
function isDone({ status, snoozeUntil }: { status?: LeadStatus | undefined; snoozeUntil?: string | null | undefined }) {
  return Boolean(snoozeUntil) || (status !== undefined && status !== 'in-progress')
}

/** The lead on screen, as the list has it, or else as it was fetched by itself or listed last. */
function currentItem({ latest, client, subject }: Parts): LeadItem | undefined {
  const { row, openItem, openId } = cursorIn(latest.read())
  if (openId === null) return latest.read().rows.rowAt(row)
  const { kind, id } = parseLeadKey(openId)
  const page = client.getQueryData<LeadPage>(singleLeadQuery(LISTS_BY_KIND[kind].list, id).queryKey)
  const fetched = page && patchPage(readOwnChanges(client), page).items[0]
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

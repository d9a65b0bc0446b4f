import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { isWriting } from '@/components/app/opening'
import type { AttemptNote } from '@/components/app/triage'
import { readOwnChanges, useTriage } from '@/components/app/use-triage'
import { createExternalStore, type ExternalStore } from '@/components/ui/external-store'
import { isQueue, type LeadItem, type LeadPage, singleLeadQuery } from '@/lib/api/leads'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import { isClosed, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { needsConfirmation } from '@/lib/inbox/list-state'
import { patchPage, type TriageDecision, type TriagedLead } from '@/lib/inbox/own-changes'
import { draftIndex } from '@/lib/inbox/draft-index'
import { type LeadKey, leadKey, parseLeadKey } from '@/lib/leads/lead-key'
import { stockholmDay } from '@/lib/time/stockholm'
import { selectCursor, type InboxDialog, type InboxStore, toTriagedLead, selectMarkedLeads, selectMarks, selectMatchingFilter } from './inbox-state'
import type { MoveActions } from './move-and-mark'

const loadNextLead = () => import('./next-lead')

type DecideServices = {
  store: InboxStore
  actions: MoveActions & {
    unmark: () => void
    showDialog: (dialog: InboxDialog) => void
    setChanging: (count: number | null) => void
  }
  client: QueryClient
  triage: ReturnType<typeof useTriage>
  user: ReturnType<typeof useCurrentUser>
  subject: ExternalStore<SubjectOnScreen>
}

/** The lead that keys act on: since when (ms of `performance.now`) it has been on screen, and what it was when last listed. */
type SubjectOnScreen = { id: LeadKey | null; shownAt: number; item?: LeadItem }

/** Actions that decide about leads, go on to the next lead, and go back when a decision is undone. */
export function useDecide(store: InboxStore, actions: DecideServices['actions'], { id, openItem }: ReturnType<typeof selectCursor>) {
  const client = useQueryClient()
  const triage = useTriage()
  const user = useCurrentUser()
  // The code is loaded at once, so that the next lead is found even when the network fails later.
  useEffect(() => void loadNextLead().catch(() => {}), [])
  const [subject] = useState(() => createExternalStore<SubjectOnScreen>({ id: null, shownAt: Infinity }))
  useLayoutEffect(() => {
    subject.set({ id, shownAt: Infinity })
    const frame = requestAnimationFrame((shownAt) => subject.set({ ...subject.read(), shownAt }))
    return () => cancelAnimationFrame(frame)
  }, [subject, id])
  useEffect(() => {
    if (openItem !== undefined) subject.set({ ...subject.read(), item: openItem })
  })
  return useMemo(() => {
    const parts = { latest: store, acts: actions, client, triage, user, subject }
    return createDecisionActions(parts, createLeadFlow(parts))
  }, [store, actions, client, triage, user, subject])
}

/** Goes on to the next lead that waits, and back to a lead whose decision is undone. */
function createLeadFlow({ store: latest, actions: acts, client, user }: DecideServices) {
  let closed: LeadKey | null = null
  const goToNext = async (id: LeadKey, handled: readonly LeadRef[]) => {
    const isLatest = acts.startAction()
    const wasWriting = isWriting()
    const { listOrQueue: place, filters, rows } = latest.read()
    const search = { today: stockholmDay(Date.now()), me: user?.id ?? null, client, place, query: filters.query, rows }
    const { origin } = selectCursor(latest.read())
    const { findNextLead } = await loadNextLead()
    const found = await findNextLead({ ...search, justDecided: handled }, origin)
    const now = selectCursor(latest.read())
    // The user stays where they have begun something else meanwhile.
    const isOver = !isLatest() || now.id !== id || (isWriting() && !wasWriting)
    if (isOver || found === 'too far') return
    if (found !== 'none') return acts.moveTo(toLeadKey(found.item), found.index)
    if (now.openId !== id) return
    closed = id
    acts.closeLead()
  }
  return {
    /** Goes on if the user is at this lead. `handled` names leads decided about with it, which the rows may not show yet. */
    goToNextLead: (item: LeadItem, justDecided: readonly LeadRef[] = []): void => {
      const id = toLeadKey(item)
      if (selectCursor(latest.read()).id === id) goToNext(id, justDecided).catch(() => {})
    },
    returnToLead: ([only, ...others]: readonly LeadRef[]): void => {
      acts.startAction()
      const { listOrQueue: place, rows } = latest.read()
      if (only === undefined || others.length > 0) return
      if (!isQueue(place) && only.kind !== LISTS[place].kind) return
      const key = leadKey(only)
      const found = rows.indexOf(key)
      const index = found === -1 ? Math.max(0, selectCursor(latest.read()).origin) : found
      if (closed === key) acts.openRow(key, index)
      else acts.moveTo(key, index)
    },
  }
}

/** A key or button that is pressed again before a lead has been on screen this long was meant for the lead before. */
const SAME_KEY_MS = 60
const SAME_PRESS_MS = 400

function createDecisionActions(parts: DecideServices, { goToNextLead: goToNextLead, returnToLead }: ReturnType<typeof createLeadFlow>) {
  const { store: latest, actions: acts, triage, user, subject } = parts
  let last: { id: LeadKey; decision: string; time: number } | null = null
  /** Whether the same was decided a moment ago: about this lead, or the one before, too soon to have read this. */
  const isRepeated = (id: LeadKey, decided: TriageDecision | AttemptNote['attempt'], withinMs: number): boolean => {
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
    triage.change([toTriagedLead(item)], decision, { onUndone: returnToLead })
    if (isLeadFinished(decision)) goToNextLead(item)
  }
  const changeMarked = async (decision: TriageDecision): Promise<void> => {
    const { listState: list, changingCount: changing } = latest.read()
    const matching = list.marks.isAll ? selectMatchingFilter(latest.read()) : null
    let isChanged = true
    if (matching === null) triage.change(selectMarkedLeads(latest.read()), decision, { onUndone: returnToLead })
    else if (changing !== null) return
    else {
      acts.setChanging(selectMarks(latest.read()).count)
      isChanged = await triage.changeMatching(matching, decision)
      acts.setChanging(null)
    }
    // The marks stay after an assignment, so that users can decide more about the same leads.
    if (isChanged && (decision.status ?? decision.snoozeUntil) !== undefined) acts.unmark()
  }
  /** A lead with an unsent reply is closed only when the user discards the reply. */
  const runUnlessDraft = (leads: readonly TriagedLead[], decision: TriageDecision, onYes: () => void): void => {
    const hasDraft = (lead: LeadRef) => draftIndex.hasReplyDraft(window.sessionStorage, user?.id ?? '', lead)
    const withDrafts = isClosed(decision.status) ? leads.filter(hasDraft) : []
    if (withDrafts.length === 0) onYes()
    else acts.showDialog({ kind: 'drafts', leads: withDrafts, count: withDrafts.length, decision, onYes })
  }
  const askAbout = (kind: 'assign' | 'put-aside') => (chosen?: LeadItem) => {
    const { hasMarks: isAny, count } = selectMarks(latest.read())
    const item = chosen ?? (isAny ? undefined : findCurrentItem(parts))
    if (item !== undefined || isAny) acts.showDialog({ kind, item, count: item === undefined ? count : 1 })
  }
  const takeDecision: TriageDecision = { status: 'in-progress', ...(user && { assignee: { id: user.id, name: user.name } }) }
  return {
    takeDecision: takeDecision,
    goToNextLead: goToNextLead,
    returnToLead,
    changeOne,
    changeMarked,
    askAssign: askAbout('assign'),
    askSnooze: askAbout('put-aside'),
    /** A button decides about its lead. */
    decideLead: (item: LeadItem, decision: TriageDecision): void => {
      if (isRepeated(toLeadKey(item), decision, SAME_PRESS_MS)) return
      runUnlessDraft([toTriagedLead(item)], decision, () => changeOne(item, decision))
    },
    /** A key decides about the marked leads, or else about the lead that keys act on. */
    decideTargets: (decision: TriageDecision): void => {
      const { hasMarks: isAny, count } = selectMarks(latest.read())
      if (isAny) {
        const onYes = () => void changeMarked(decision)
        const proceed = () => (needsConfirmation(count) ? acts.showDialog({ kind: 'confirm', count, decision, onYes }) : onYes())
        return runUnlessDraft(selectMarkedLeads(latest.read()), decision, proceed)
      }
      const item = findCurrentItem(parts)
      if (item === undefined || isRepeated(toLeadKey(item), decision, SAME_KEY_MS)) return
      const { openId, row } = selectCursor(latest.read())
      if (openId === null && scrollIntoSight(row, acts.scroller.current)) return
      runUnlessDraft([toTriagedLead(item)], decision, () => changeOne(item, decision))
    },
    noteAttempt: (attemptNote: AttemptNote): void => {
      const { item, attempt } = attemptNote
      if (isRepeated(toLeadKey(item), attempt, SAME_PRESS_MS)) return
      triage.noteAttempt(attemptNote, returnToLead)
      if (isLeadFinished(attempt)) goToNextLead(item)
    },
    undo: (): void => {
      acts.startAction()
      triage.undo(returnToLead)
    },
  }
}

/** A person who takes a lead stays with it; after any other status, and putting it aside, the next one comes. */
function isLeadFinished({ status, snoozeUntil }: { status?: LeadStatus | undefined; snoozeUntil?: string | null | undefined }) {
  return Boolean(snoozeUntil) || (status !== undefined && status !== 'in-progress')
}

/** The lead on screen, as the list has it, or else as it was fetched by itself or listed last. */
function findCurrentItem({ store: latest, client, subject }: DecideServices): LeadItem | undefined {
  const { row, openItem, openId } = selectCursor(latest.read())
  if (openId === null) return latest.read().rows.rowAt(row)
  const { kind, id } = parseLeadKey(openId)
  const page = client.getQueryData<LeadPage>(singleLeadQuery(LISTS_BY_KIND[kind].list, id).queryKey)
  const fetched = page && patchPage(readOwnChanges(client), page).items[0]
  return openItem ?? fetched ?? (subject.read().id === openId ? subject.read().item : undefined)
}

/** A row that was scrolled out of sight is shown first: a key must not decide about a lead out of sight. */
function scrollIntoSight(index: number, list: HTMLElement | null): boolean {
  const row = document.getElementById(`row-${index}`)
  if (row === null || list === null) return false
  const [place, box] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
  if (place.bottom > Math.max(0, box.top) && place.top < Math.min(window.innerHeight, box.bottom)) return false
  row.scrollIntoView({ block: 'nearest' })
  return true
}

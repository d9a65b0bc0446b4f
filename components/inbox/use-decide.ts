import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import type { AttemptNote } from '@/components/app/triage'
import { useTriage } from '@/components/app/use-triage'
import { createExternalStore, type ExternalStore } from '@/components/ui/external-store'
import type { LeadItem } from '@/lib/api/leads'
import { isClosed } from '@/lib/contract/lists'
import { draftIndex } from '@/lib/inbox/draft-index'
import { toLeadKey } from '@/lib/inbox/lead-text'
import type { TriageDecision, TriagedLead } from '@/lib/inbox/own-changes'
import type { LeadKey } from '@/lib/leads/lead-key'
import {
  type InboxDialog,
  type InboxStore,
  selectCursor,
  selectMarkedLeads,
  selectMarks,
  selectMatchingFilter,
  toTriagedLead,
} from './inbox-state'
import { createLeadFlow, loadNextLead } from './lead-flow'
import type { MoveActions } from './move-actions'

type ListActions = MoveActions & {
  clearMarks: () => void
  showDialog: (dialog: InboxDialog) => void
  setChangingCount: (count: number | null) => void
}

/** Creates the actions that decide about leads. A decision that finishes a lead goes on to the next one. */
export function useDecide(store: InboxStore, actions: ListActions, id: LeadKey | null) {
  const client = useQueryClient()
  const triage = useTriage()
  const user = useCurrentUser()
  // The code is preloaded, so that the next lead is found even if the network fails later.
  useEffect(() => void loadNextLead().catch(() => {}), [])
  const [subject] = useState(() => createExternalStore<SubjectOnScreen>({ id: null, shownAt: Infinity }))
  useLayoutEffect(() => {
    subject.set({ id, shownAt: Infinity })
    const frame = requestAnimationFrame((shownAt) => subject.set({ ...subject.read(), shownAt }))
    return () => cancelAnimationFrame(frame)
  }, [subject, id])
  return useMemo(
    () => createDecisionActions({ store, actions, client, triage, user, subject }),
    [store, actions, client, triage, user, subject],
  )
}

/** The lead that keys act on: since when it is on screen (ms of `performance.now`), and as what, if it is open. */
type SubjectOnScreen = { id: LeadKey | null; shownAt: number; item?: LeadItem | undefined }

type DecideServices = {
  store: InboxStore
  actions: ListActions
  client: QueryClient
  triage: ReturnType<typeof useTriage>
  user: ReturnType<typeof useCurrentUser>
  subject: ExternalStore<SubjectOnScreen>
}

type Decision = TriageDecision | AttemptNote['attempt']

const CONFIRM_ABOVE = 50
/** The same decision is taken once if it comes again this soon, by a key or by a button. */
const SAME_KEY_MS = 60
const SAME_PRESS_MS = 400

function createDecisionActions(services: DecideServices) {
  const { store, actions, client, triage, user, subject } = services
  const { goToNextLead, returnToLead } = createLeadFlow(store, { moves: actions, client, userId: user?.id })
  const author = user && { id: user.id, name: user.name }
  const takeDecision: TriageDecision = { status: 'in-progress', assignee: author }
  const isRepeated = createRepeatGuard(subject)
  const changeOne = (item: LeadItem, decision: TriageDecision): void => {
    triage.change([toTriagedLead(item)], decision, { onUndone: returnToLead })
    if (isLeadFinished(decision)) goToNextLead(item)
  }
  const changeMarked = async (decision: TriageDecision): Promise<void> => {
    const state = store.read()
    const matching = state.listState.marks.isAll ? selectMatchingFilter(state) : null
    if (matching === null) triage.change(selectMarkedLeads(state), decision, { onUndone: returnToLead })
    else {
      if (state.changingCount !== null) return
      actions.setChangingCount(selectMarks(state).count)
      const isChanged = await triage.changeMatching(matching, decision)
      actions.setChangingCount(null)
      if (!isChanged) return
    }
    // The marks stay after an assignment, so that users can decide more about the same leads.
    if ((decision.status ?? decision.snoozeUntil) !== undefined) actions.clearMarks()
  }
  /** Runs `decide`. If it closes leads that have unsent replies, the user must first agree to discard these. */
  const confirmDrafts = (leads: readonly TriagedLead[], decision: TriageDecision, decide: () => void): void => {
    const owner = user?.id ?? ''
    const hasDraft = (lead: TriagedLead) => draftIndex.hasReplyDraft(sessionStorage, owner, lead)
    const drafts = isClosed(decision.status) ? leads.filter(hasDraft) : []
    if (drafts.length === 0) return decide()
    const onYes = () => {
      for (const lead of drafts) draftIndex.forgetReply(sessionStorage, owner, lead)
      decide()
    }
    actions.showDialog({ kind: 'drafts', count: drafts.length, decision, onYes })
  }
  const decideOne = (item: LeadItem, decision: TriageDecision): void =>
    confirmDrafts([toTriagedLead(item)], decision, () => changeOne(item, decision))
  const decideLead = (item: LeadItem, decision: TriageDecision): void => {
    if (!isRepeated(item, decision, SAME_PRESS_MS)) decideOne(item, decision)
  }
  const openDialog = (kind: 'assign' | 'snooze', chosen?: LeadItem): void => {
    const { hasMarks } = selectMarks(store.read())
    const item = chosen ?? (hasMarks ? undefined : findCurrentItem(services))
    if (item !== undefined || hasMarks) actions.showDialog({ kind, item })
  }
  return {
    takeDecision,
    goToNextLead,
    returnToLead,
    changeOne,
    changeMarked,
    askAssign: (item?: LeadItem) => openDialog('assign', item),
    askSnooze: (item?: LeadItem) => openDialog('snooze', item),
    decideLead,
    takeLead: (item: LeadItem) => decideLead(item, takeDecision),
    /** A key decides about the marked leads, or else about the lead that keys act on. */
    decideTargets: (decision: TriageDecision): void => {
      const { hasMarks, count } = selectMarks(store.read())
      if (hasMarks) {
        const onYes = () => void changeMarked(decision)
        const confirm = () => actions.showDialog({ kind: 'confirm', count, decision, onYes })
        return confirmDrafts(selectMarkedLeads(store.read()), decision, count > CONFIRM_ABOVE ? confirm : onYes)
      }
      const item = findCurrentItem(services)
      if (item === undefined || isRepeated(item, decision, SAME_KEY_MS)) return
      const { openId, row } = selectCursor(store.read())
      if (openId === null && scrollIntoSight(row, actions.scroller.current)) return
      decideOne(item, decision)
    },
    noteAttempt: (note: Omit<AttemptNote, 'author'>): void => {
      if (isRepeated(note.item, note.attempt, SAME_PRESS_MS)) return
      triage.noteAttempt({ ...note, author }, returnToLead)
      if (isLeadFinished(note.attempt)) goToNextLead(note.item)
    },
    /** The open lead tells what it shows. */
    setShownItem: (item: LeadItem | undefined): void => subject.set({ ...subject.read(), item }),
    undo: (): void => {
      actions.startAction()
      triage.undo(returnToLead)
    },
  }
}

/** Tells whether the same was just decided: about this lead, or about another one too soon to have read this one. */
function createRepeatGuard(subject: ExternalStore<SubjectOnScreen>) {
  let last: { id: LeadKey; decision: string; time: number } | null = null
  return (item: LeadItem, decided: Decision, withinMs: number): boolean => {
    const id = toLeadKey(item)
    const decision = JSON.stringify(decided)
    const time = performance.now()
    const shown = subject.read()
    const shownAt = shown.id === id ? shown.shownAt : Infinity
    const since = last?.id === id ? last.time : shownAt
    if (last?.decision === decision && time - since < withinMs) return true
    last = { id, decision, time }
    return false
  }
}

/** A user who takes a lead stays with it; any other status, and a reminder, leads on to the next one. */
function isLeadFinished({ status, snoozeUntil }: Decision): boolean {
  return Boolean(snoozeUntil) || (status !== undefined && status !== 'in-progress')
}

/** Finds the lead that keys act on: the open one, which the list may not have, or else the one at the cursor. */
function findCurrentItem({ store, subject }: DecideServices): LeadItem | undefined {
  const { row, openItem, openId } = selectCursor(store.read())
  if (openId === null) return store.read().rows.rowAt(row)
  const shown = subject.read()
  return openItem ?? (shown.id === openId ? shown.item : undefined)
}

/** Scrolls to a row that is out of sight and tells whether it was: a key must not decide about an unseen lead. */
function scrollIntoSight(index: number, list: HTMLElement | null): boolean {
  const row = document.getElementById(`row-${index}`)
  if (row === null || list === null) return false
  const { top, bottom } = row.getBoundingClientRect()
  const box = list.getBoundingClientRect()
  if (bottom > Math.max(0, box.top) && top < Math.min(window.innerHeight, box.bottom)) return false
  row.scrollIntoView({ block: 'nearest' })
  return true
}

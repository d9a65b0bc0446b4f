import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { isWriting } from '@/components/app/opening'
import { readOwnChanges } from '@/components/app/own-changes'
import type { AttemptNote } from '@/components/app/triage'
import { useTriage } from '@/components/app/use-triage'
import { createExternalStore, type ExternalStore } from '@/components/ui/external-store'
import { isQueue, type LeadItem, type LeadPage, singleLeadQuery } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { isClosed, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { draftIndex } from '@/lib/inbox/draft-index'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { patchPage, type TriageDecision, type TriagedLead } from '@/lib/inbox/own-changes'
import { type LeadKey, leadKey, parseLeadKey } from '@/lib/leads/lead-key'
import { stockholmDay } from '@/lib/time/stockholm'
import {
  type Cursor,
  type InboxDialog,
  type InboxStore,
  selectCursor,
  selectMarkedLeads,
  selectMarks,
  selectMatchingFilter,
  toTriagedLead,
} from './inbox-state'
import type { MoveActions } from './move-actions'

const loadNextLead = () => import('./next-lead')

type ListActions = MoveActions & {
  clearMarks: () => void
  showDialog: (dialog: InboxDialog) => void
  setChangingCount: (count: number | null) => void
}

/** Creates the actions that decide about leads, go on to the next lead, and return when a decision is undone. */
export function useDecide(store: InboxStore, actions: ListActions, { id, openItem }: Cursor) {
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
  useEffect(() => {
    if (openItem !== undefined) subject.set({ ...subject.read(), item: openItem })
  })
  return useMemo(
    () => createDecisionActions({ store, actions, client, triage, user, subject }),
    [store, actions, client, triage, user, subject],
  )
}

/** The lead that keys act on: since when (ms of `performance.now`) it is on screen, and its item when last listed. */
type SubjectOnScreen = { id: LeadKey | null; shownAt: number; item?: LeadItem }

type DecideServices = {
  store: InboxStore
  actions: ListActions
  client: QueryClient
  triage: ReturnType<typeof useTriage>
  user: ReturnType<typeof useCurrentUser>
  subject: ExternalStore<SubjectOnScreen>
}

const CONFIRM_ABOVE = 50

/** A key or button that is pressed again before a lead has been on screen this long was meant for the previous lead. */
const SAME_KEY_MS = 60
const SAME_PRESS_MS = 400

function createDecisionActions(services: DecideServices) {
  const { store, actions, triage, user, subject } = services
  const { goToNextLead, returnToLead } = createLeadFlow(services)
  let last: { id: LeadKey; decision: string; time: number } | null = null
  /** Tells whether the same was just decided: about this lead, or about another, too soon to have read this one. */
  const isRepeated = (id: LeadKey, decided: TriageDecision | AttemptNote['attempt'], withinMs: number): boolean => {
    const decision = JSON.stringify(decided)
    const time = performance.now()
    const shownAt = subject.read().id === id ? subject.read().shownAt : Infinity
    const since = last?.id === id ? last.time : shownAt
    if (last?.decision === decision && time - since < withinMs) return true
    last = { id, decision, time }
    return false
  }
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
  /** Runs `onYes`; before a lead with an unsent reply is closed, only if the user discards the reply. */
  const confirmDrafts = (leads: readonly TriagedLead[], decision: TriageDecision, onYes: () => void): void => {
    const hasDraft = (lead: LeadRef) => draftIndex.hasReplyDraft(sessionStorage, user?.id ?? '', lead)
    const withDrafts = isClosed(decision.status) ? leads.filter(hasDraft) : []
    if (withDrafts.length === 0) onYes()
    else actions.showDialog({ kind: 'drafts', leads: withDrafts, count: withDrafts.length, decision, onYes })
  }
  const decideOne = (item: LeadItem, decision: TriageDecision): void =>
    confirmDrafts([toTriagedLead(item)], decision, () => changeOne(item, decision))
  const openDialog = (kind: 'assign' | 'snooze') => (chosen?: LeadItem) => {
    const { hasMarks, count } = selectMarks(store.read())
    const item = chosen ?? (hasMarks ? undefined : findCurrentItem(services))
    if (item !== undefined || hasMarks) actions.showDialog({ kind, item, count: item === undefined ? count : 1 })
  }
  const assignee = user && { id: user.id, name: user.name }
  const takeDecision: TriageDecision = { status: 'in-progress', ...(assignee && { assignee }) }
  return {
    takeDecision,
    goToNextLead,
    returnToLead,
    changeOne,
    changeMarked,
    askAssign: openDialog('assign'),
    askSnooze: openDialog('snooze'),
    decideLead: (item: LeadItem, decision: TriageDecision): void => {
      if (!isRepeated(toLeadKey(item), decision, SAME_PRESS_MS)) decideOne(item, decision)
    },
    /** A key decides about the marked leads, or else about the lead that keys act on. */
    decideTargets: (decision: TriageDecision): void => {
      const { hasMarks, count } = selectMarks(store.read())
      if (hasMarks) {
        const onYes = () => void changeMarked(decision)
        const confirm = () => actions.showDialog({ kind: 'confirm', count, decision, onYes })
        return confirmDrafts(selectMarkedLeads(store.read()), decision, count > CONFIRM_ABOVE ? confirm : onYes)
      }
      const item = findCurrentItem(services)
      if (item === undefined || isRepeated(toLeadKey(item), decision, SAME_KEY_MS)) return
      const { openId, row } = selectCursor(store.read())
      if (openId === null && scrollIntoSight(row, actions.scroller.current)) return
      decideOne(item, decision)
    },
    noteAttempt: (note: AttemptNote): void => {
      if (isRepeated(toLeadKey(note.item), note.attempt, SAME_PRESS_MS)) return
      triage.noteAttempt(note, returnToLead)
      if (isLeadFinished(note.attempt)) goToNextLead(note.item)
    },
    undo: (): void => {
      actions.startAction()
      triage.undo(returnToLead)
    },
  }
}

/** Goes on to the next lead that waits, and back to a lead whose decision is undone. */
function createLeadFlow({ store, actions, client, user }: DecideServices) {
  /** It was closed because no other lead waits. */
  let closedLead: LeadKey | null = null
  const findAndOpenNext = async (id: LeadKey, justDecided: readonly LeadRef[]) => {
    const isLatest = actions.startAction()
    const wasWriting = isWriting()
    const { listOrQueue, filters, rows } = store.read()
    const { origin } = selectCursor(store.read())
    const { findNextLead } = await loadNextLead()
    const search = { userId: user?.id, client, listOrQueue, query: filters.query, rows, justDecided }
    const found = await findNextLead({ ...search, today: stockholmDay(Date.now()) }, origin)
    const current = selectCursor(store.read())
    // The user stays where they have begun something else meanwhile.
    if (!isLatest() || current.id !== id || (isWriting() && !wasWriting) || found === 'too far') return
    if (found !== 'none') return actions.moveTo(toLeadKey(found.item), found.index)
    if (current.openId !== id) return
    closedLead = id
    actions.closeLead()
  }
  return {
    /** Goes on if the user is at this lead. Rows may not show yet that those in `justDecided` are done. */
    goToNextLead: (item: LeadItem, justDecided: readonly LeadRef[] = []): void => {
      const id = toLeadKey(item)
      if (selectCursor(store.read()).id === id) findAndOpenNext(id, justDecided).catch(() => {})
    },
    returnToLead: ([only, ...others]: readonly LeadRef[]): void => {
      actions.startAction()
      const { listOrQueue, rows } = store.read()
      if (only === undefined || others.length > 0) return
      if (!isQueue(listOrQueue) && only.kind !== LISTS[listOrQueue].kind) return
      const key = leadKey(only)
      const found = rows.indexOf(key)
      const index = found === -1 ? Math.max(0, selectCursor(store.read()).origin) : found
      if (closedLead === key) actions.openRow(key, index)
      else actions.moveTo(key, index)
    },
  }
}

/** A user who takes a lead stays with it; any other status, and snoozing, leads on to the next one. */
function isLeadFinished({ status, snoozeUntil }: TriageDecision | AttemptNote['attempt']): boolean {
  return Boolean(snoozeUntil) || (status !== undefined && status !== 'in-progress')
}

/** Finds the lead that keys act on: in the list, or as it was fetched by itself or listed last. */
function findCurrentItem({ store, client, subject }: DecideServices): LeadItem | undefined {
  const { row, openItem, openId } = selectCursor(store.read())
  if (openId === null) return store.read().rows.rowAt(row)
  if (openItem !== undefined) return openItem
  const { kind, id } = parseLeadKey(openId)
  const page = client.getQueryData<LeadPage>(singleLeadQuery(LISTS_BY_KIND[kind].list, id).queryKey)
  if (page?.items[0] !== undefined) return patchPage(readOwnChanges(client), page).items[0]
  return subject.read().id === openId ? subject.read().item : undefined
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

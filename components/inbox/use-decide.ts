import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { readOwnChanges } from '@/components/app/own-changes'
import type { AttemptToNote } from '@/components/app/triage'
import { useTriage } from '@/components/app/use-triage'
import { type LeadItem, type LeadPage, singleLeadQuery } from '@/lib/api/leads'
import { isClosed, LISTS_BY_KIND } from '@/lib/contract/lists'
import { draftIndex } from '@/lib/inbox/draft-index'
import { patchPage, type TriageDecision, type TriagedLead } from '@/lib/inbox/own-changes'
import { type LeadKey, parseLeadKey } from '@/lib/leads/lead-key'
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
import { createRepeatGuard, type SubjectOnScreen, useSubjectOnScreen } from './subject-on-screen'

type ListActions = MoveActions & {
  clearMarks: () => void
  showDialog: (dialog: InboxDialog) => void
  setChangingCount: (count: number | null) => void
}

/** Creates the actions that decide about leads. A decision that finishes a lead goes on to the next one. */
export function useDecide(store: InboxStore, actions: ListActions, cursorKey: LeadKey | null) {
  const client = useQueryClient()
  const triage = useTriage()
  const user = useCurrentUser()
  // The code is preloaded, so that the next lead is found even if the network fails later.
  useEffect(() => void loadNextLead().catch(() => {}), [])
  const subject = useSubjectOnScreen(cursorKey)
  return useMemo(
    () => createDecisionActions({ store, actions, client, triage, user, subject }),
    [store, actions, client, triage, user, subject],
  )
}

type DecideServices = {
  store: InboxStore
  actions: ListActions
  client: QueryClient
  triage: ReturnType<typeof useTriage>
  user: ReturnType<typeof useCurrentUser>
  subject: RefObject<SubjectOnScreen>
}

type Decision = TriageDecision | AttemptToNote['attempt']

/** A decision about more leads than this must be confirmed, because most are out of sight. */
const CONFIRM_ABOVE_COUNT = 50
/** The same decision within this time is applied once, because it comes from a bouncing key or a double click. */
const KEY_BOUNCE_MS = 60
const DOUBLE_CLICK_MS = 400

function createDecisionActions(services: DecideServices) {
  const { store, actions, client, triage, user, subject } = services
  const { goToNextLead, returnToLead } = createLeadFlow(store, { moves: actions, client, userId: user?.id })
  const author = user && { id: user.id, name: user.name }
  const takeDecision: TriageDecision = { status: 'in-progress', assignee: author }
  const recordUnlessRepeated = createRepeatGuard(subject)
  const applyToLead = (item: LeadItem, decision: TriageDecision): void => {
    triage.change([toTriagedLead(item)], decision, { onUndone: returnToLead })
    if (isLeadFinished(decision)) goToNextLead(item)
  }
  const applyToMarked = async (decision: TriageDecision): Promise<void> => {
    const state = store.read()
    const matching = state.listState.marks.isAll ? selectMatchingFilter(state) : null
    if (matching === null) {
      triage.change(selectMarkedLeads(state), decision, { onUndone: returnToLead })
      if (endsMarks(decision)) actions.clearMarks()
      return
    }
    if (state.changingCount !== null) return
    actions.setChangingCount(selectMarks(state).count)
    const isChanged = await triage.changeMatching(matching, decision)
    actions.setChangingCount(null)
    if (isChanged && endsMarks(decision)) actions.clearMarks()
  }
  /** Runs `decide`. If it closes single leads that have unsent replies, the user must first agree to discard these. */
  const confirmDrafts = (leads: readonly TriagedLead[], decision: TriageDecision, decide: () => void): void => {
    const owner = user?.id ?? ''
    const hasDraft = (lead: TriagedLead) => draftIndex.hasReplyDraft(sessionStorage, owner, lead)
    const draftLeads = isClosed(decision.status) ? leads.filter(hasDraft) : []
    if (draftLeads.length === 0) return decide()
    const onYes = () => {
      for (const lead of draftLeads) draftIndex.forgetReply(sessionStorage, owner, lead)
      decide()
    }
    actions.showDialog({ kind: 'drafts', count: draftLeads.length, decision, onYes: onYes })
  }
  const confirmAndApply = (item: LeadItem, decision: TriageDecision): void =>
    confirmDrafts([toTriagedLead(item)], decision, () => applyToLead(item, decision))
  const decideLead = (item: LeadItem, decision: TriageDecision): void => {
    if (recordUnlessRepeated(item, decision, DOUBLE_CLICK_MS)) confirmAndApply(item, decision)
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
    applyToLead,
    applyToMarked,
    askAssign: (item?: LeadItem) => openDialog('assign', item),
    askSnooze: (item?: LeadItem) => openDialog('snooze', item),
    decideLead,
    takeLead: (item: LeadItem) => decideLead(item, takeDecision),
    /** Decides about the marked leads, or else about the lead that keys act on. */
    decideTargets: (decision: TriageDecision): void => {
      const { hasMarks, count } = selectMarks(store.read())
      if (hasMarks) {
        const onYes = () => void applyToMarked(decision)
        const confirm = () => actions.showDialog({ kind: 'confirm', count, decision, onYes: onYes })
        return confirmDrafts(selectMarkedLeads(store.read()), decision, count > CONFIRM_ABOVE_COUNT ? confirm : onYes)
      }
      const item = findCurrentItem(services)
      if (item === undefined || !recordUnlessRepeated(item, decision, KEY_BOUNCE_MS)) return
      const { openKey, row } = selectCursor(store.read())
      if (openKey === null && scrollIntoSight(row, actions.scroller.current)) return
      confirmAndApply(item, decision)
    },
    noteAttempt: (note: Omit<AttemptToNote, 'author'>): void => {
      if (!recordUnlessRepeated(note.item, note.attempt, DOUBLE_CLICK_MS)) return
      triage.noteAttempt({ ...note, author }, returnToLead)
      if (isLeadFinished(note.attempt)) goToNextLead(note.item)
    },
    setShownItem: (item: LeadItem | undefined) => void (subject.current.item = item),
    undo: (): void => {
      actions.startAction()
      triage.undo(returnToLead)
    },
  }
}

/** A user who takes a lead stays with it; any other status, and a reminder, leads on to the next one. */
function isLeadFinished({ status, snoozeUntil }: Decision): boolean {
  return Boolean(snoozeUntil) || (status !== undefined && status !== 'in-progress')
}

/** The marks stay after an assignment, so that users can decide more about the same leads. */
function endsMarks({ status, snoozeUntil }: TriageDecision): boolean {
  return (status ?? snoozeUntil) !== undefined
}

/** Finds the open lead, which the list may not have, or else the one at the cursor. */
function findCurrentItem({ store, client, subject }: DecideServices): LeadItem | undefined {
  const { row, openItem, openKey } = selectCursor(store.read())
  if (openKey === null) return store.read().rows.rowAt(row)
  if (openItem !== undefined) return openItem
  if (subject.current.key === openKey && subject.current.item !== undefined) return subject.current.item
  // Until the code of the open lead is loaded, the screen shows the lead that came with the page.
  const { kind, id } = parseLeadKey(openKey)
  const page = client.getQueryData<LeadPage>(singleLeadQuery(LISTS_BY_KIND[kind].list, id).queryKey)
  return page && patchPage(readOwnChanges(client), page).items[0]
}

/** Scrolls to a row that is out of sight, and tells whether it was: no key may decide about a lead that is not seen. */
function scrollIntoSight(index: number, list: HTMLElement | null): boolean {
  const row = document.getElementById(`row-${index}`)
  if (row === null || list === null) return false
  const { top, bottom } = row.getBoundingClientRect()
  const listBox = list.getBoundingClientRect()
  if (bottom > Math.max(0, listBox.top) && top < Math.min(window.innerHeight, listBox.bottom)) return false
  row.scrollIntoView({ block: 'nearest' })
  return true
}

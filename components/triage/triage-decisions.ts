import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { toast, type ToastAction } from '@/components/ui/toast'
import { refreshCounts, refreshTriaged, TRIAGE_MUTATION } from '@/lib/api/refresh'
import { ApiError } from '@/lib/api/send'
import { api } from '@/lib/api/call'
import { changeMatching, decisionRetries, type MatchingChange } from '@/lib/api/triage'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { isClosed, LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Locale } from '@/lib/i18n/locale'
import type { RecentChange, TriageAnswer, UndoAnswer } from '@/lib/contract/triage'
import type { ShownTriage, TriageDecision, TriagedLead, TriageHistory, UndoStep } from '@/lib/inbox/triage-history'
import { createAttempts } from './attempt-decisions'
import { showTriage } from './show-triage'
import { commonName, createNotices, decisionOf, onlyOf, type Words } from './triage-notices'

type Parts = {
  client: QueryClient
  history: TriageHistory
  t: Words
  locale: Locale
  /** Shows one's own last changes, each with its way back. Undefined where they cannot be shown. */
  showRecent: () => (() => void) | undefined
}

type DecisionOptions = {
  /** How many unhandled leads remain then in the list that the person works on, if that is known. */
  left?: (() => number | undefined) | undefined
  /** Told of the leads whose decision is taken back. */
  onUndone?: ((leads: readonly LeadRef[]) => void) | undefined
  /** Of many at once: the lead that the person was at, which is gone back to. */
  from?: LeadRef | undefined
}

/** What `useTriage` does, once its code is here: decide, take back, decide about all that match. */
export function createDecisions(parts: Parts) {
  const { client, history, t, locale } = parts
  const notices = createNotices(t, locale)
  const undoStep = createUndo(parts)
  const send = createSend(parts)
  function change(leads: readonly TriagedLead[], decision: TriageDecision, options: DecisionOptions = {}): void {
    const wanted = leads.filter(({ triage }) => triage === undefined || !isAsDecided(triage, decision))
    if (wanted.length === 0) return
    const before = loaded(wanted)
    const after = effectOf(decision)
    const decided = before.map((lead) => ({ ...lead, triage: { ...lead.triage, ...after } }))
    showTriage(client, decided, { before: before.map(({ triage }) => triage), decision })
    const topic = nextTopic()
    const failed = (error: unknown) => {
      history.steps.take(step)
      showTriage(client, before)
      toast(notices.failed(wanted), {
        tone: 'error',
        topic,
        action: { label: t('inbox.triage.again'), onClick: () => change(wanted, decision, options) },
      })
      // The way back after signing in again leads to what could not be saved.
      if (error instanceof ApiError && error.kind === 'unauthenticated')
        options.onUndone?.(placesOf(before, options.from))
      return null
    }
    const takeBack = { label: t('inbox.triage.undo'), onClick: () => undo(options.onUndone, step) }
    const sent = send({ leads: wanted, decision, topic, takeBack }).then(({ undo: token }) => {
      // Nothing came of it: the way back is that of the decision before.
      if (token === null) history.steps.take(step)
      return token
    }, failed)
    const only = onlyOf(wanted)
    const named = { only, from: options.from, name: commonName(wanted) }
    const step: UndoStep = { before, token: sent, decision, count: wanted.length, topic, ...named }
    history.steps.add(step)
    toast(notices.decided(decision, wanted, options.left?.()), {
      topic,
      // One at a time: the way back from those before is the same key. That from many stays as long as it can.
      ...(only !== undefined && { replaces: SINGLE }),
      action: takeBack,
      more: only === undefined ? recentAction(parts) : undefined,
    })
  }
  function undo(onUndone: DecisionOptions['onUndone'], wanted?: UndoStep): void {
    const step = undoStep.last(wanted)
    if (step !== undefined) onUndone?.(placesOf(step.before, step.from))
  }
  const note = createAttempts(parts, { undo, nextTopic, replaces: SINGLE, refresh })
  return { change, note, undo, undoRecent: undoStep.recent, changeMatching: createChangeMatching(parts, undoStep.last) }
}

/** What is said of one decision takes the place of what was said of it before; nothing else makes it go. */
let topics = 0
const nextTopic = () => `${SINGLE} ${++topics}`
const SINGLE = 'triage'

function recentAction({ t, showRecent }: Parts) {
  const show = showRecent()
  return show && { label: t('inbox.triage.recent'), onClick: show }
}

/** Decisions go out one after the other, in the order of deciding. */
const inOrder = { mutationKey: TRIAGE_MUTATION, scope: { id: 'triage' } }

type Change = { leads: readonly TriagedLead[]; decision: TriageDecision; topic: string; takeBack: ToastAction }

/** Sends decisions about leads that the person has seen, and shows what the server made of them. */
function createSend({ client, history: { versions }, t, locale }: Parts): (change: Change) => Promise<TriageAnswer> {
  const isLast = () => client.isMutating({ mutationKey: TRIAGE_MUTATION }) <= 1
  const observer = () =>
    new MutationObserver<TriageAnswer, Error, Change>(client, {
      ...inOrder,
      ...decisionRetries,
      mutationFn: ({ leads, decision }) =>
        api('PATCH /api/triage', { body: { leads: leads.map(versions.of), ...fieldsOf(decision) } }),
      onSuccess: ({ changed, conflicts }, { leads, decision, topic, takeBack }) => {
        const after = [...changed, ...conflicts.map((conflict) => ({ ...conflict, after: conflict.now }))]
        versions.learn(after)
        // A later decision, already on screen, has the last word there.
        if (isLast())
          showTriage(
            client,
            after.map(({ kind, id, after: triage }) => ({ kind, id, triage })),
          )
        const lost = conflicts.filter(({ now }) => !isAsDecided(now, decision))
        if (lost.length === 0) return
        // Of those that were changed the way back stays.
        const action = changed.length === 0 ? undefined : takeBack
        toast(createNotices(t, locale).lost(decision, lost, leads), { tone: 'error', topic, action })
      },
      onSettled: (_answer, _error, { leads }) =>
        refresh(client, new Set(leads.map(({ kind }) => LISTS_BY_KIND[kind].list))),
    })
  return (change) => observer().mutate(change)
}

const BOTH: ReadonlySet<LeadList> = new Set(LEAD_LISTS)

/** Takes back what was decided: a certain step, or else the last; what somebody has changed since stays. */
function createUndo({ client, history: { steps, versions }, t, locale, showRecent }: Parts) {
  const observer = () =>
    new MutationObserver<UndoAnswer | null, Error, UndoStep>(client, {
      ...inOrder,
      ...decisionRetries,
      mutationFn: async ({ token }) => {
        const name = await token
        return name === null ? null : api('POST /api/triage/undo', { body: { undo: name } })
      },
      onSuccess: (answer, step) => {
        versions.forget(step.before)
        if (answer === null) return
        const { undone = createNotices(t, locale).undone(step, answer) } = answer.conflicts > 0 ? {} : step
        toast(undone, { topic: step.topic })
      },
      onError: (_error, step) => {
        steps.add(step)
        toast(t('inbox.triage.undoFailed'), { tone: 'error', topic: step.topic })
      },
      onSettled: () => refresh(client, BOTH),
    })
  return {
    last: (wanted?: UndoStep): UndoStep | undefined => {
      const step = steps.take(wanted)
      if (step === undefined) {
        // What this tab knows nothing of is not taken back unseen.
        const show = wanted === undefined ? showRecent() : undefined
        void (show === undefined ? toast(t('inbox.triage.nothingToUndo')) : show())
        return undefined
      }
      showTriage(client, step.before)
      step.onTakenBack?.()
      observer()
        .mutate(step)
        .catch(() => {})
      return step
    },
    /** One that the server told of; this tab need not have made it. Answers whether it came through. */
    recent: async (change: RecentChange): Promise<boolean> => {
      const { undo, count, leads } = change
      const only = count === 1 ? leads[0] : undefined
      const decision = decisionOf(change)
      const step = { token: Promise.resolve(undo), before: [], decision, count, only, topic: nextTopic() }
      return observer()
        .mutate(step)
        .then(
          () => true,
          () => false,
        )
    },
  }
}

type Matching = MatchingChange['matching']
type Report = (progress: { done: number; total: number }) => void
type ChangeOfMatching = { matching: Matching; decision: TriageDecision; report: Report }
type MatchingResult = Awaited<ReturnType<typeof changeMatching>>

/** Decides on the server about every lead that matches; answers whether it came through. */
function createChangeMatching(parts: Parts, undo: (step: UndoStep) => unknown) {
  const { client, history, t, locale } = parts
  const observer = () =>
    new MutationObserver<MatchingResult, Error, ChangeOfMatching>(client, {
      ...inOrder,
      mutationFn: ({ matching, decision, report }) => changeMatching({ matching, ...fieldsOf(decision) }, report),
      onSettled: (_answer, _error, { matching }) => refresh(client, new Set([matching.list])),
    })
  return async (matching: Matching, decision: TriageDecision, report: Report): Promise<boolean> => {
    try {
      const { changed, conflicts, undo: token } = await observer().mutate({ matching, decision, report })
      const named = { token: Promise.resolve(token), before: [], only: undefined, topic: nextTopic() }
      const step: UndoStep = { ...named, decision, count: changed }
      if (token !== null) history.steps.add(step)
      const action = { label: t('inbox.triage.undo'), onClick: () => void undo(step) }
      toast(createNotices(t, locale).changed(decision, changed, conflicts), {
        topic: step.topic,
        ...(token !== null && { action, more: recentAction(parts) }),
      })
      return true
    } catch {
      toast(t('inbox.triage.bulkFailed'), { tone: 'error' })
      return false
    }
  }
}

function fieldsOf({ status, assignee, snoozeUntil }: TriageDecision) {
  return {
    ...(snoozeUntil !== undefined && { snoozeUntil }),
    ...(status !== undefined && { status }),
    ...(assignee !== undefined && { assignee: assignee?.id ?? 'none' }),
  }
}

/** What is gone back to when it is taken back, or could not be saved. */
function placesOf(leads: readonly LeadRef[], from: LeadRef | undefined): readonly LeadRef[] {
  return from === undefined ? leads : [from]
}

function loaded(leads: readonly TriagedLead[]) {
  return leads.flatMap(({ kind, id, triage }) => (triage === undefined ? [] : [{ kind, id, triage }]))
}

function isAsDecided(now: ShownTriage, { status, assignee, snoozeUntil }: TriageDecision): boolean {
  return (
    (status === undefined || status === now.status) &&
    (assignee === undefined || assignee?.id === now.assignee?.id) &&
    (snoozeUntil === undefined || snoozeUntil === now.snoozeUntil)
  )
}

/** What is handled or not relevant does not come back by itself, as the server has it too. */
function effectOf(decision: TriageDecision): TriageDecision {
  return isClosed(decision.status) ? { snoozeUntil: null, ...decision } : decision
}

/** Asks again what was decided about, once the last decision on its way is through; this one still counts as one. */
function refresh(client: QueryClient, lists: ReadonlySet<LeadList>): void {
  if (client.isMutating({ mutationKey: TRIAGE_MUTATION }) > 1) return
  setTimeout(() => {
    for (const list of lists) void refreshTriaged(client, list)
    void refreshCounts(client)
  })
}

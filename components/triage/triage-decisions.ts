import { MutationObserver, onlineManager, type QueryClient } from '@tanstack/react-query'
import type { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { refreshCounts, refreshTriaged, TRIAGE_MUTATION } from '@/lib/api/refresh'
import { ApiError, isWorthRetrying } from '@/lib/api/send'
import { changeMatching, changeTriage, type MatchingChange, undoTriage } from '@/lib/api/triage'
import type { LeadList, LeadRef, Triage } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { TriageAnswer, UndoAnswer } from '@/lib/contract/triage'
import type { TriageDecision, TriagedLead, TriageHistory, UndoStep } from '@/lib/inbox/triage-history'
import { showTriage } from './show-triage'

type Parts = { client: QueryClient; history: TriageHistory; t: Words }
/** The translator of every message there is, as `useTranslations()` gives it. */
type Words = ReturnType<typeof useTranslations<never>>

type DecisionOptions = {
  /** How many unhandled leads remain then in the list that the person works on, if that is known. */
  left?: (() => number | undefined) | undefined
  /** Told of the leads whose decision is taken back. */
  onUndone?: ((leads: readonly LeadRef[]) => void) | undefined
}

/** What `useTriage` does, once its code is here: decide, take back, decide about all that match. */
export function createDecisions(parts: Parts) {
  const { client, history, t } = parts
  const undoStep = createUndo(parts)
  const send = createSend(parts)
  function change(leads: readonly TriagedLead[], decision: TriageDecision, options: DecisionOptions = {}): void {
    const wanted = leads.filter(({ triage }) => triage === undefined || !isAsDecided(triage, decision))
    if (wanted.length === 0) return
    const before = loaded(wanted)
    const decided = before.map((lead) => ({ ...lead, triage: { ...lead.triage, ...decision } }))
    showTriage(client, decided, { before: before.map(({ triage }) => triage), decision })
    const failed = (error: unknown) => {
      history.steps.take(step)
      showTriage(client, before)
      toast(t('inbox.triage.failed', { count: wanted.length }), {
        tone: 'error',
        topic: 'triage',
        action: { label: t('inbox.triage.again'), onClick: () => change(wanted, decision, options) },
      })
      // The way back after signing in again leads to what could not be saved.
      if (error instanceof ApiError && error.kind === 'unauthenticated') options.onUndone?.(before)
      return null
    }
    const step: UndoStep = { before, token: send({ leads: wanted, decision }).then(({ undo: token }) => token, failed) }
    history.steps.add(step)
    toast(doneText(t, decision, wanted.length, options.left?.()), {
      topic: 'triage',
      action: { label: t('inbox.triage.undo'), onClick: () => undo(options.onUndone, step) },
    })
  }
  function undo(onUndone: DecisionOptions['onUndone'], wanted?: UndoStep): void {
    const step = undoStep(wanted)
    if (step !== undefined) onUndone?.(step.before)
  }
  return { change, undo, changeMatching: createChangeMatching(parts, undoStep) }
}

const RETRIES = 3

/** Decisions go out one after the other, in the order of deciding. */
const inOrder = { mutationKey: TRIAGE_MUTATION, scope: { id: 'triage' } }
const isTriedAgain = (failures: number, error: Error) => failures < RETRIES && isWorthRetrying(error)

type Change = { leads: readonly TriagedLead[]; decision: TriageDecision }

/** Sends decisions about leads that the person has seen, and shows what the server made of them. */
function createSend({ client, history: { versions }, t }: Parts): (change: Change) => Promise<TriageAnswer> {
  const isLast = () => client.isMutating({ mutationKey: TRIAGE_MUTATION }) <= 1
  const observer = () =>
    new MutationObserver<TriageAnswer, Error, Change>(client, {
      ...inOrder,
      retry: isTriedAgain,
      mutationFn: ({ leads, decision }) => changeTriage({ leads: leads.map(versions.of), ...fieldsOf(decision) }),
      onSuccess: ({ changed, conflicts }, { leads, decision }) => {
        const after = [...changed, ...conflicts.map((conflict) => ({ ...conflict, after: conflict.now }))]
        versions.learn(after)
        // A later decision, already on screen, has the last word there.
        if (isLast())
          showTriage(
            client,
            after.map(({ kind, id, after: triage }) => ({ kind, id, triage })),
          )
        const lost = conflicts.filter(({ now }) => !isAsDecided(now, decision))
        tellConflicts(t, lost, leads.length)
      },
      onSettled: (_answer, _error, { leads }) =>
        refresh(client, new Set(leads.map(({ kind }) => LISTS_BY_KIND[kind].list))),
    })
  return (change) => observer().mutate(change)
}

const BOTH: ReadonlySet<LeadList> = new Set(LEAD_LISTS)

/** Takes back what was decided: a certain step, or else the last; what somebody has changed since stays. */
function createUndo({ client, history: { steps, versions }, t }: Parts): (step?: UndoStep) => UndoStep | undefined {
  const observer = () =>
    new MutationObserver<UndoAnswer | null, Error, UndoStep>(client, {
      ...inOrder,
      retry: isTriedAgain,
      mutationFn: async ({ token }) => {
        const name = await token
        return name === null ? null : undoTriage(name)
      },
      onSuccess: (answer, step) => {
        versions.forget(step.before)
        if (answer === null) return
        const { restored, conflicts } = answer
        const text =
          conflicts > 0
            ? t('inbox.triage.undoneBut', { restored, conflicts })
            : t('inbox.triage.undone', { count: restored })
        toast(text, { topic: 'triage' })
      },
      onError: (_error, step) => {
        steps.add(step)
        toast(t('inbox.triage.undoFailed'), { tone: 'error' })
      },
      onSettled: () => refresh(client, BOTH),
    })
  return (wanted) => {
    const step = steps.take(wanted)
    if (step === undefined) {
      toast(t('inbox.triage.nothingToUndo'), { topic: 'triage' })
      return undefined
    }
    showTriage(client, step.before)
    observer()
      .mutate(step)
      .catch(() => {})
    return step
  }
}

type Matching = MatchingChange['matching']
type Report = (progress: { done: number; total: number }) => void
type ChangeOfMatching = { matching: Matching; decision: TriageDecision; report: Report }
type MatchingResult = Awaited<ReturnType<typeof changeMatching>>

/** Decides on the server about every lead that matches; answers whether it came through. */
function createChangeMatching({ client, history, t }: Parts, undo: (step: UndoStep) => unknown) {
  const observer = () =>
    new MutationObserver<MatchingResult, Error, ChangeOfMatching>(client, {
      ...inOrder,
      mutationFn: ({ matching, decision, report }) => changeMatching({ matching, ...fieldsOf(decision) }, report),
      onSettled: (_answer, _error, { matching }) => refresh(client, new Set([matching.list])),
    })
  return async (matching: Matching, decision: TriageDecision, report: Report): Promise<boolean> => {
    try {
      const { changed, conflicts, undo: token } = await observer().mutate({ matching, decision, report })
      const step = { token: Promise.resolve(token), before: [] }
      if (token !== null) history.steps.add(step)
      const text =
        conflicts > 0
          ? t('inbox.triage.changedBut', { changed, conflicts })
          : t('inbox.triage.changed', { count: changed })
      const action = token === null ? undefined : { label: t('inbox.triage.undo'), onClick: () => void undo(step) }
      toast(text, { topic: 'triage', action })
      return true
    } catch {
      toast(t('inbox.triage.bulkFailed'), { tone: 'error' })
      return false
    }
  }
}

function fieldsOf({ status, assignee }: TriageDecision) {
  return {
    ...(status !== undefined && { status }),
    ...(assignee !== undefined && { assignee: assignee?.id ?? 'none' }),
  }
}

function loaded(leads: readonly TriagedLead[]) {
  return leads.flatMap(({ kind, id, triage }) => (triage === undefined ? [] : [{ kind, id, triage }]))
}

function isAsDecided(now: Triage, { status, assignee }: TriageDecision): boolean {
  return (
    (status === undefined || status === now.status) && (assignee === undefined || assignee?.id === now.assignee?.id)
  )
}

/** Asks again what was decided about, once the last decision on its way is through; this one still counts as one. */
function refresh(client: QueryClient, lists: ReadonlySet<LeadList>): void {
  if (client.isMutating({ mutationKey: TRIAGE_MUTATION }) > 1) return
  setTimeout(() => {
    for (const list of lists) void refreshTriaged(client, list)
    void refreshCounts(client)
  })
}

function doneText(t: Words, { status, assignee }: TriageDecision, count: number, left: number | undefined): string {
  const person = assignee ? t('inbox.triage.assigned', { name: assignee.name }) : t('inbox.triage.unassigned')
  const what = status === undefined ? person : t(`common.status.${status}`)
  return [
    count === 1 ? t('inbox.triage.one', { what }) : t('inbox.triage.many', { count, what }),
    ...(left === undefined ? [] : [t('inbox.triage.left', { count: left })]),
    ...(onlineManager.isOnline() ? [] : [t('inbox.triage.waits')]),
  ].join(' ')
}

function tellConflicts(t: Words, lost: TriageAnswer['conflicts'], of: number): void {
  const [first] = lost
  if (first === undefined) return
  const status = t(`common.status.${first.now.status}`)
  const text = of === 1 ? t('inbox.triage.conflict', { status }) : t('inbox.triage.conflicts', { count: lost.length })
  toast(text, { tone: 'error', topic: 'triage' })
}

import { MutationObserver, type MutationObserverOptions, type QueryClient } from '@tanstack/react-query'
import { toast, type ToastAction } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { refreshCounts, refreshTriaged } from '@/lib/api/refresh'
import { ApiError } from '@/lib/api/send'
import { changeMatching, DECIDING, decisionRetries, type MatchingChange } from '@/lib/api/triage'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { RecentChange, TriageAnswer } from '@/lib/contract/triage'
import type { Locale } from '@/lib/i18n/locale'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import {
  fieldsAfter,
  type LeadFields,
  type PendingChange,
  type PendingChanges,
  withFields,
  workAfter,
  workOf,
} from '@/lib/inbox/pending-changes'
import type { ShownTriage, TriageDecision, TriagedLead, UndoStep, UndoSteps } from '@/lib/inbox/undo-steps'
import type { createUnsent } from '@/lib/inbox/unsent'
import { commonName, createNotices, decisionOf, onlyOf, untilOnline, type Words } from './triage-notices'

/** What the user did in this tab: what screens show over the server's answers, and what can be taken back. */
export type OwnChanges = { pending: PendingChanges; steps: UndoSteps; unsent: ReturnType<typeof createUnsent> }

type Parts = OwnChanges & {
  client: QueryClient
  /** The user's id. */
  owner: string
  t: Words
  locale: Locale
  /** Shows one's own last changes, each with its way back. Undefined where they cannot be shown. */
  showRecent: () => (() => void) | undefined
}

type OnUndone = ((leads: readonly LeadRef[]) => void) | undefined

type DecisionOptions = {
  /** How many unhandled leads remain then in the list that the person works on, if that is known. */
  left?: (() => number | undefined) | undefined
  onUndone?: OnUndone
  /** Of many at once: the lead that the person was at, which is gone back to. */
  from?: LeadRef | undefined
}

/** What `useTriage` does, once its code is here: decide, take back, decide about all that match. */
export function createDecisions(parts: Parts) {
  const { pending, steps, unsent, owner, t, locale } = parts
  const notices = createNotices(t, locale)
  const undoStep = createUndo(parts)
  function change(leads: readonly TriagedLead[], decision: TriageDecision, options: DecisionOptions = {}): void {
    const wanted = leads.filter(({ triage }) => triage === undefined || !isAsDecided(triage, decision))
    if (wanted.length === 0) return
    const before = wanted.flatMap(({ kind, id, triage, item }) =>
      triage === undefined ? [] : [{ kind, id, triage, item, ...(item && { work: workOf(item) }) }],
    )
    const shown = pending.add(before.map((lead) => changedTo(lead, fieldsAfter(decision))))
    const forget = unsent.keep({ owner, leads: wanted, decision })
    const topic = nextTopic()
    const failed = (error: unknown) => {
      steps.take(step)
      pending.drop(shown)
      const action = { label: t('inbox.triage.again'), onClick: () => change(wanted, decision, options) }
      toast(notices.failed(wanted), { tone: 'error', topic, action })
      // The way back after signing in again leads to what could not be saved.
      if (isSignedOut(error)) options.onUndone?.(placesOf(before, options.from))
      return null
    }
    const takeBack = { label: t('inbox.triage.undo'), onClick: () => undo(options.onUndone, step) }
    const token = send(parts, { leads: wanted, decision, shown, topic, takeBack }).then(({ undo: name }) => {
      // Nothing came of it: the way back is that of the decision before.
      if (name === null) steps.take(step)
      return name
    }, failed)
    void token.then(forget)
    const only = onlyOf(wanted)
    const named = { only, from: options.from, name: commonName(wanted) }
    const step: UndoStep = { before, token, decision, count: wanted.length, topic, ...named }
    steps.add(step)
    toast(notices.decided(decision, wanted, options.left?.()), {
      topic,
      // One at a time: the way back from those before is the same key. That from many stays as long as it can.
      ...(only !== undefined && { replaces: SINGLE }),
      action: takeBack,
      more: only === undefined ? recentAction(parts) : undefined,
    })
  }
  function undo(onUndone: OnUndone, wanted?: UndoStep): void {
    const step = undoStep.last(wanted)
    if (step !== undefined) onUndone?.(placesOf(step.before, step.from))
  }
  return {
    change,
    note: createNote(parts, undo),
    undo,
    undoRecent: undoStep.recent,
    changeMatching: createChangeMatching(parts, undoStep.last),
  }
}

/** What is said of one decision takes the place of what was said of it before; nothing else makes it go. */
let topics = 0
const nextTopic = () => `${SINGLE} ${++topics}`
const SINGLE = 'triage'

function recentAction({ t, showRecent }: Parts) {
  const show = showRecent()
  return show && { label: t('inbox.triage.recent'), onClick: show }
}

type Sent<Answer> = Pick<MutationObserverOptions<Answer>, 'retry' | 'retryDelay' | 'onSuccess'> & {
  run: () => Promise<Answer>
  /** What is asked again once the last decision on its way is through. */
  lists: ReadonlySet<LeadList>
}

/** Decisions go out one after the other, in the order of deciding. */
function inOrder<Answer>(client: QueryClient, { run, lists, ...options }: Sent<Answer>): Promise<Answer> {
  const onSettled = () => {
    // This one still counts.
    if (client.isMutating({ mutationKey: DECIDING }) > 1) return
    setTimeout(() => {
      for (const list of lists) void refreshTriaged(client, list)
      void refreshCounts(client)
    })
  }
  const order = { mutationKey: DECIDING, scope: { id: 'triage' } }
  return new MutationObserver<Answer>(client, { ...order, ...options, mutationFn: run, onSettled }).mutate()
}

type Change = {
  leads: readonly TriagedLead[]
  decision: TriageDecision
  shown: PendingChange
  topic: string
  takeBack: ToastAction
}

/** Sends a decision about leads that the person has seen, and shows what the server made of it. */
function send({ client, pending, t, locale }: Parts, change: Change): Promise<TriageAnswer> {
  const { leads, decision, shown, topic, takeBack } = change
  return inOrder<TriageAnswer>(client, {
    ...decisionRetries,
    run: () => api('PATCH /api/triage', { body: { leads: leads.map(pending.versionOf), ...fieldsOf(decision) } }),
    onSuccess: ({ changed, conflicts }) => {
      pending.answered(shown, { changed, conflicts })
      const lost = conflicts.filter(({ now }) => !isAsDecided(now, decision))
      if (lost.length === 0) return
      // Of those that were changed the way back stays.
      const action = changed.length === 0 ? undefined : takeBack
      toast(createNotices(t, locale).lost(decision, lost, leads), { tone: 'error', topic, action })
    },
    lists: new Set(leads.map(({ kind }) => LISTS_BY_KIND[kind].list)),
  })
}

/** What a person did about a lead, and what is said of it. */
export type Attempted = {
  item: LeadItem
  attempt: Omit<NewAttempt, 'kind' | 'id'>
  by: { id: string; name: string } | null
  said: string
  undone: string
  /** Where what has happened all the same could not be noted: what is said, and what comes back instead. */
  notNoted?: { said: string; bringBack: () => void } | undefined
  /** Brings back what it took away besides, as the text that was handed over. */
  onTakenBack?: (() => void) | undefined
}

/** Notes attempts as decisions are made: at once on screen, in the same order on the server, and with a way back. */
function createNote({ client, pending, steps, t, locale }: Parts, undo: (onUndone: OnUndone, step: UndoStep) => void) {
  return function note(attempted: Attempted, onUndone?: OnUndone): void {
    const { item, attempt, by, said, undone, notNoted, onTakenBack } = attempted
    const lead: LeadRef = { kind: isQuestion(item) ? 'asked-question' : 'declaration-of-interest', id: item.id }
    const before = { ...lead, triage: item.triage, item, work: workOf(item) }
    const decision = attempt.status === undefined ? {} : { status: attempt.status }
    const now = { at: new Date().toISOString(), by, channel: attempt.channel, outcome: attempt.outcome }
    const shown = pending.add([changedTo(before, { ...decision, ...workAfter(item, attempt, now) })])
    const only = { ...lead, triage: item.triage, name: nameOf(item) }
    const topic = nextTopic()
    const untilDay = attempt.snoozeUntil ? { snoozeUntil: attempt.snoozeUntil } : {}
    const waits = untilOnline(t, locale, { only, decision: { ...decision, ...untilDay } })
    let isSaid = waits === undefined
    const putBack = (bringBack = onTakenBack) => {
      isSaid = true
      bringBack?.()
    }
    const failed = (error: unknown) => {
      steps.take(step)
      pending.drop(shown)
      putBack(notNoted?.bringBack)
      const action = { label: t('inbox.triage.again'), onClick: () => note(attempted, onUndone) }
      toast(notNoted?.said ?? createNotices(t, locale).failed([only]), { tone: 'error', topic, action })
      if (isSignedOut(error)) onUndone?.([lead])
      return null
    }
    // Not tried again by itself: what may have come through would be noted twice.
    const token = inOrder(client, {
      run: () => api('POST /api/attempts', { body: { ...lead, ...attempt } }),
      lists: new Set([LISTS_BY_KIND[lead.kind].list]),
    }).then(({ undo: name }) => {
      // The answer has no version.
      pending.answered(shown, null)
      if (!isSaid) say(said)
      return name
    }, failed)
    const step: UndoStep = {
      before: [before],
      token,
      decision,
      count: 1,
      only,
      topic,
      undone,
      onTakenBack: () => putBack(),
    }
    steps.add(step)
    const takeBack = { label: t('inbox.triage.undo'), onClick: () => undo(onUndone, step) }
    const say = (text: string) => toast(text, { topic, replaces: SINGLE, action: takeBack })
    say(waits ?? said)
  }
}

/** Takes back what was decided: a certain step, or else the last. What a colleague has changed since stays. */
function createUndo({ client, pending, steps, t, locale, showRecent }: Parts) {
  /** Answers whether it came through. */
  const takeBack = async (step: UndoStep): Promise<boolean> => {
    const shown = pending.add(asBefore(step))
    try {
      await inOrder(client, {
        ...decisionRetries,
        run: async () => {
          const name = await step.token
          return name === null ? null : api('POST /api/triage/undo', { body: { undo: name } })
        },
        onSuccess: (answer) => {
          if (answer === null || answer.restored === 0) pending.drop(shown)
          else pending.answered(shown, null)
          if (answer === null) return
          const { undone = createNotices(t, locale).undone(step, answer) } = answer.conflicts > 0 ? {} : step
          toast(undone, { topic: step.topic })
        },
        lists: new Set(LEAD_LISTS),
      })
      return true
    } catch {
      pending.drop(shown)
      steps.add(step)
      toast(t('inbox.triage.undoFailed'), { tone: 'error', topic: step.topic })
      return false
    }
  }
  return {
    last: (wanted?: UndoStep): UndoStep | undefined => {
      const step = steps.take(wanted)
      if (step === undefined) {
        // What this tab knows nothing of is not taken back unseen.
        const show = wanted === undefined ? showRecent() : undefined
        void (show === undefined ? toast(t('inbox.triage.nothingToUndo')) : show())
        return undefined
      }
      step.onTakenBack?.()
      void takeBack(step)
      return step
    },
    /** One that the server told of; this tab need not have made it. */
    recent: (change: RecentChange): Promise<boolean> => {
      const { undo, count, leads } = change
      const only = count === 1 ? leads[0] : undefined
      const decision = decisionOf(change)
      return takeBack({ token: Promise.resolve(undo), before: [], decision, count, only, topic: nextTopic() })
    },
  }
}

type Matching = MatchingChange['matching']
type Report = (progress: { done: number; total: number }) => void

/** Decides on the server about every lead that matches; answers whether it came through. */
function createChangeMatching(parts: Parts, undo: (step: UndoStep) => unknown) {
  const { client, steps, t, locale } = parts
  return async (matching: Matching, decision: TriageDecision, report: Report): Promise<boolean> => {
    try {
      const {
        changed,
        conflicts,
        undo: token,
      } = await inOrder(client, {
        run: () => changeMatching({ matching, ...fieldsOf(decision) }, report),
        lists: new Set([matching.list]),
      })
      const named = { token: Promise.resolve(token), before: [], only: undefined, topic: nextTopic() }
      const step: UndoStep = { ...named, decision, count: changed }
      if (token !== null) steps.add(step)
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

function changedTo({ kind, id, triage, item }: UndoStep['before'][number], fields: LeadFields) {
  return { kind, id, from: triage.status, item, fields }
}

function asBefore({ before, decision }: UndoStep) {
  return before.map(({ kind, id, triage, item, work }) => {
    const fields = { ...triage, ...work }
    const decided = item && withFields(item, fieldsAfter(decision))
    return { kind, id, from: decision.status ?? triage.status, item: decided, fields }
  })
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

function isAsDecided(now: ShownTriage, { status, assignee, snoozeUntil }: TriageDecision): boolean {
  return (
    (status === undefined || status === now.status) &&
    (assignee === undefined || assignee?.id === now.assignee?.id) &&
    (snoozeUntil === undefined || snoozeUntil === now.snoozeUntil)
  )
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'unauthenticated'
}

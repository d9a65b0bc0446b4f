import { toast, type ToastAction } from '@/components/ui/toast'
import { api, type Input } from '@/lib/api/call'
import { serverTime } from '@/lib/api/send'
import { decisionRetries } from '@/lib/api/triage'
import type { LeadList, LeadRef, Triage } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { LoadMove, RecentChange, TriageAnswer } from '@/lib/contract/triage'
import type { Pending } from '@/lib/inbox/pending'
import {
  createPendingChanges,
  factsOf,
  fieldsAfter,
  type KnownLeads,
  type PendingChange,
  versionOf,
} from '@/lib/inbox/pending-changes'
import { pendingOf } from '@/lib/inbox/pending-numbers'
import type {
  BeforeChange,
  ShownTriage,
  TriageDecision,
  TriagedLead,
  UndoStep,
  UndoSteps,
} from '@/lib/inbox/undo-steps'
import { tabUnsent, type UnsentChange } from '@/lib/inbox/unsent'
import { createMail, createNote } from './note-attempt'
import {
  undoChangeOf,
  changeOf,
  inOrder,
  isSignedOut,
  nextTopic,
  type OnUndone,
  type OwnChanges,
  SINGLE,
  type TriageParts,
} from './send-in-order'
import { commonName, createNotices, decisionOf, onlyOf } from './triage-notices'

type Listeners = { show: (pending: Pending) => void; onKnown: (leads: KnownLeads) => void }

export function createOwnChanges(steps: UndoSteps, { show, onKnown }: Listeners): OwnChanges {
  const now = () => serverTime(Date.now())
  const pending = createPendingChanges(now, { onChange: (state) => show(pendingOf(state)), onKnown })
  return { pending, steps, unsent: tabUnsent }
}

type DecisionOptions = {
  /** How many unhandled leads remain then in the list that the user works on, if that is known. */
  left?: (() => number | undefined) | undefined
  onUndone?: OnUndone
  /** Of many at once: the lead that the user was at, which is gone back to. */
  from?: LeadRef | undefined
}

export function createDecisions(parts: TriageParts) {
  const undoStep = createUndo(parts)
  const undo: Undo = (onUndone, wanted) => {
    const step = undoStep.last(wanted)
    if (step !== undefined) onUndone?.(returnTo(step.before, step.from))
  }
  const change = createChange(parts, undo)
  const changeMany = createChangeMany(parts, undoStep.last)
  const { done } = createNotices(parts.t, parts.locale)
  return {
    change,
    note: createNote(parts, undo),
    mail: createMail(parts),
    undo,
    undoRecent: undoStep.recent,
    changeMatching: (matching: LeadFilter & { list: LeadList }, decision: TriageDecision) =>
      changeMany({
        change: { matching, ...fieldsOf(decision) },
        lists: [matching.list],
        decision,
        say: (count) => done(decision, count, undefined),
      }),
    assignEach: (leads: readonly LoadMove[], say: (count: number) => string) =>
      changeMany({
        change: { leads: leads.map(({ from: _from, ...lead }) => lead) },
        lists: LEAD_LISTS,
        decision: {},
        say,
      }),
    sendAgain: (kept: UnsentChange) => {
      if ('leads' in kept) change(kept.leads, kept.decision)
      else void sendUnsent(parts, kept)
    },
  }
}

type Undo = (onUndone: OnUndone, wanted?: UndoStep) => void

function createChange(parts: TriageParts, undo: Undo) {
  const { pending, steps, unsent, owner, t, locale } = parts
  const notices = createNotices(t, locale)
  return function change(leads: readonly TriagedLead[], decision: TriageDecision, options: DecisionOptions = {}): void {
    const changing = leads.filter(({ triage }) => triage === undefined || !isAsDecided(triage, decision))
    if (changing.length === 0) return
    const before = beforeOf(changing, decision)
    const shown = pending.add(before.map(changeOf))
    const discard = unsent.keep(owner, { leads: changing, decision })
    const topic = nextTopic()
    const failed = (error: unknown) => {
      steps.take(step)
      pending.drop(shown)
      const action = { label: t('inbox.triage.again'), onClick: () => change(changing, decision, options) }
      toast(notices.failed(changing), { tone: 'error', topic, action })
      // The way back after signing in again leads to what could not be saved.
      if (isSignedOut(error)) options.onUndone?.(returnTo(before, options.from))
      return null
    }
    const takeBack = { label: t('inbox.triage.undo'), onClick: () => undo(options.onUndone, step) }
    const token = send(parts, { leads: changing, decision, shown, topic, takeBack }).then(({ undo: name }) => {
      // Nothing came of it: the way back is that of the decision before.
      if (name === null) steps.take(step)
      return name
    }, failed)
    const only = onlyOf(changing)
    void token.then(discard)
    const named = { only, from: options.from, name: commonName(changing), onTakenBack: discard }
    const step: UndoStep = { before, token, decision, count: changing.length, topic, ...named }
    steps.add(step)
    toast(notices.decided(decision, changing, options.left?.()), {
      topic,
      // One at a time: the way back from those before is the same key. That from many stays as long as it can.
      ...(only !== undefined && { replaces: SINGLE }),
      action: takeBack,
      more: only === undefined ? recentAction(parts) : undefined,
    })
  }
}

/** Both are carried out once, however often they are sent. Only what fails is worth a notice. */
async function sendUnsent({ client, unsent, owner, t }: TriageParts, kept: Exclude<UnsentChange, { leads: unknown }>) {
  const discard = unsent.keep(owner, kept)
  const run = () =>
    'undo' in kept ? api('POST /api/triage/undo', { body: kept }) : api('POST /api/attempts', { body: kept.attempt })
  try {
    await inOrder<unknown>(client, { ...decisionRetries, run, lists: new Set(LEAD_LISTS) })
  } catch {
    const message = 'undo' in kept ? t('inbox.triage.undoFailed') : t('inbox.triage.failed', { count: 1 })
    toast(message, { tone: 'error', topic: nextTopic() })
  } finally {
    discard()
  }
}

function beforeOf(leads: readonly TriagedLead[], decision: TriageDecision): BeforeChange[] {
  const fields = fieldsAfter(decision)
  return leads.flatMap(({ kind, id, triage, item }) =>
    triage === undefined ? [] : [{ kind, id, triage, item: item && factsOf(item), fields }],
  )
}

function recentAction({ t, showRecent }: TriageParts) {
  const show = showRecent()
  return show && { label: t('inbox.triage.recent'), onClick: show }
}

type Change = {
  leads: readonly TriagedLead[]
  decision: TriageDecision
  shown: PendingChange
  topic: string
  takeBack: ToastAction
}

function send({ client, pending, owner, t, locale }: TriageParts, change: Change): Promise<TriageAnswer> {
  const { leads, decision, shown, topic, takeBack } = change
  /** Sent twice, by a retry or after a reload: the first time it came through. A conflict does not say until when it is put aside. */
  const isOwn = ({ updatedBy }: Triage) => updatedBy?.id === owner
  return inOrder<TriageAnswer>(client, {
    ...decisionRetries,
    run: () =>
      api('PATCH /api/triage', {
        body: { leads: leads.map((lead) => versionOf(pending.read(), lead)), ...fieldsOf(decision) },
      }),
    onSuccess: ({ changed, conflicts }) => {
      pending.answered(shown, { changed, conflicts })
      const lost = conflicts.filter(({ now }) => !isAsDecided(isOwn(now) ? { ...decision, ...now } : now, decision))
      if (lost.length === 0) return
      // Of those that were changed the way back stays.
      const action = changed.length === 0 ? undefined : takeBack
      toast(createNotices(t, locale).lost(decision, lost, leads), { tone: 'error', topic, action })
    },
    lists: new Set(leads.map(({ kind }) => LISTS_BY_KIND[kind].list)),
  })
}

/** Takes back what was decided: a certain step, or else the last. What a colleague has changed since stays. */
function createUndo({ client, pending, steps, unsent, owner, t, locale, showRecent }: TriageParts) {
  const takeBack = async (step: UndoStep): Promise<boolean> => {
    const shown = pending.add(step.before.map(undoChangeOf))
    const kept = step.token.then((undo) => (undo ? unsent.keep(owner, { undo }) : () => {}))
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
    } finally {
      void kept.then((discard) => discard())
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
    /** One of the server's list; this tab need not have made it. */
    recent: (change: RecentChange): Promise<boolean> => {
      const { undo, count, leads } = change
      const only = count === 1 ? leads[0] : undefined
      const decision = decisionOf(change)
      return takeBack({ token: Promise.resolve(undo), before: [], decision, count, only, topic: nextTopic() })
    },
  }
}

type Many = {
  change: NonNullable<Input<'PATCH /api/triage'>['body']>
  lists: readonly LeadList[]
  decision: TriageDecision
  say: (count: number) => string
}

function createChangeMany(parts: TriageParts, undo: (step: UndoStep) => unknown) {
  const { client, steps, t, locale } = parts
  return async ({ change, lists, decision, say }: Many): Promise<boolean> => {
    try {
      const run = () => api('PATCH /api/triage', { body: change })
      const answer = await inOrder(client, { run, lists: new Set(lists) })
      const [changed, conflicts, token] = [answer.changed.length, answer.conflicts.length, answer.undo]
      const named = { token: Promise.resolve(token), before: [], only: undefined, topic: nextTopic() }
      const step: UndoStep = { ...named, decision, count: changed }
      if (token !== null) steps.add(step)
      const action = { label: t('inbox.triage.undo'), onClick: () => void undo(step) }
      toast(createNotices(t, locale).changed(say(changed), changed, conflicts), {
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

function returnTo(leads: readonly LeadRef[], from: LeadRef | undefined): readonly LeadRef[] {
  return from === undefined ? leads : [from]
}

function isAsDecided(now: ShownTriage, { status, assignee, snoozeUntil }: TriageDecision): boolean {
  return (
    (status === undefined || status === now.status) &&
    (assignee === undefined || assignee?.id === now.assignee?.id) &&
    (snoozeUntil === undefined || snoozeUntil === now.snoozeUntil)
  )
}

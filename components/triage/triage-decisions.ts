import { toast, type ToastAction } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { serverTime } from '@/lib/api/send'
import { decisionRetries } from '@/lib/api/triage'
import type { LeadList, LeadRef, Triage } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { TriageAnswer } from '@/lib/contract/triage'
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
import { commonName, createNotices, onlyOf } from './triage-notices'

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
    const step = undoStep(wanted)
    if (step !== undefined) onUndone?.(returnTo(step.before, step.from))
  }
  const change = createChange(parts, undo)
  return {
    change,
    note: createNote(parts, undo),
    mail: createMail(parts),
    undo,
    changeMatching: createChangeMatching(parts, undoStep),
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
function createUndo({ client, pending, steps, unsent, owner, t, locale }: TriageParts) {
  const takeBack = async (step: UndoStep): Promise<void> => {
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
    } catch {
      pending.drop(shown)
      steps.add(step)
      toast(t('inbox.triage.undoFailed'), { tone: 'error', topic: step.topic })
    } finally {
      void kept.then((discard) => discard())
    }
  }
  return (wanted?: UndoStep): UndoStep | undefined => {
    const step = steps.take(wanted)
    if (step === undefined) {
      toast(t('inbox.triage.nothingToUndo'))
      return undefined
    }
    step.onTakenBack?.()
    void takeBack(step)
    return step
  }
}

type Matching = LeadFilter & { list: LeadList }

function createChangeMatching(parts: TriageParts, undo: (step: UndoStep) => unknown) {
  const { client, steps, t, locale } = parts
  return async (matching: Matching, decision: TriageDecision): Promise<boolean> => {
    const notices = createNotices(t, locale)
    const topic = nextTopic()
    toast(t('inbox.triage.changing'), { topic })
    try {
      const run = () => api('PATCH /api/triage', { body: { matching, ...fieldsOf(decision) } })
      const answer = await inOrder(client, { run, lists: new Set([matching.list]) })
      const [changed, conflicts, token] = [answer.changed.length, answer.conflicts.length, answer.undo]
      const named = { token: Promise.resolve(token), before: [], only: undefined, topic }
      const step: UndoStep = { ...named, decision, count: changed }
      if (token !== null) steps.add(step)
      const action = { label: t('inbox.triage.undo'), onClick: () => void undo(step) }
      toast(notices.changed(notices.done(decision, changed, undefined), changed, conflicts), {
        topic,
        ...(token !== null && { action }),
      })
      return true
    } catch {
      toast(t('inbox.triage.bulkFailed'), { tone: 'error', topic })
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

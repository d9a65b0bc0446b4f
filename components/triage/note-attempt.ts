import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { decisionRetries, onceKey } from '@/lib/api/triage'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { factsOf, fieldsAfter, workAfter } from '@/lib/inbox/pending-changes'
import type { TriageDecision, UndoStep } from '@/lib/inbox/undo-steps'
import { changeOf, inOrder, isSignedOut, nextTopic, type OnUndone, SINGLE, type TriageParts } from './send-in-order'
import { createNotices, untilOnline } from './triage-notices'

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

type Undo = (onUndone: OnUndone, step: UndoStep) => void

/** Notes attempts as decisions are made: at once on screen, in the same order on the server, and with a way back. */
export function createNote(parts: TriageParts, undo: Undo) {
  const { steps, unsent, owner, t, locale } = parts
  return function note(attempted: Attempted, onUndone?: OnUndone): void {
    const { item, attempt, by, said, undone, notNoted, onTakenBack } = attempted
    const lead: LeadRef = { kind: isQuestion(item) ? 'asked-question' : 'declaration-of-interest', id: item.id }
    const decision = decisionOf(attempt, item, by)
    const now = { at: new Date().toISOString(), by, channel: attempt.channel, outcome: attempt.outcome }
    const fields = { ...decision, ...workAfter(item, attempt, now) }
    const before = { ...lead, triage: item.triage, item: factsOf(item), fields }
    const shown = showChange(parts, before)
    const only = { ...lead, triage: item.triage, name: nameOf(item) }
    const topic = nextTopic()
    const body = { ...lead, ...attempt, key: onceKey() }
    const release = unsent.keep(owner, { attempt: body })
    const { snoozeUntil } = attempt
    const waits = untilOnline(t, locale, { only, decision: { ...decision, ...(snoozeUntil && { snoozeUntil }) } })
    let isShown = waits === undefined
    const putBack = (bringBack = onTakenBack) => {
      isShown = true
      bringBack?.()
    }
    const failed = (error: unknown) => {
      steps.take(step)
      putBack(notNoted?.bringBack)
      const action = { label: t('inbox.triage.again'), onClick: () => note(attempted, onUndone) }
      toast(notNoted?.said ?? createNotices(t, locale).failed([only]), { tone: 'error', topic, action })
      if (isSignedOut(error)) onUndone?.([lead])
      return null
    }
    const token = shown
      .send(() => api('POST /api/attempts', { body }), decisionRetries)
      .then(({ undo: name }) => {
        if (!isShown) showDone(said)
        return name
      }, failed)
    void token.then(release)
    const named = { only, topic, undone, onTakenBack: () => putBack() }
    const step: UndoStep = { before: [before], token, decision, count: 1, ...named }
    steps.add(step)
    const undoAction = { label: t('inbox.triage.undo'), onClick: () => undo(onUndone, step) }
    const showDone = (text: string) => toast(text, { topic, replaces: SINGLE, action: undoAction })
    showDone(waits ?? said)
  }
}

/** As the server decides it: a user who leaves a lead open has it, unless somebody else has. */
function decisionOf({ status }: Attempted['attempt'], { triage }: LeadItem, by: Attempted['by']): TriageDecision {
  if (status === undefined) return {}
  const isTaken = status === 'in-progress' && triage.assignee === null && by !== null
  return { status, ...(isTaken && { assignee: by }) }
}

/** A mail that leaves in a few seconds: what is decided with it shows at once, that it was sent only when it was. */
export function createMail(parts: TriageParts) {
  return (lead: LeadRef, item: LeadItem, decision: TriageDecision) =>
    showChange(parts, { ...lead, triage: item.triage, item: factsOf(item), fields: fieldsAfter(decision) })
}

function showChange({ client, pending }: TriageParts, change: Parameters<typeof changeOf>[0]) {
  const shown = pending.add([changeOf(change)])
  const takeBack = () => pending.drop(shown)
  const send = async <Answer>(run: () => Promise<Answer>, retries = {}): Promise<Answer> => {
    try {
      const answer = await inOrder(client, { ...retries, run, lists: new Set([LISTS_BY_KIND[change.kind].list]) })
      // The answer has no version.
      pending.answered(shown, null)
      return answer
    } catch (error) {
      takeBack()
      throw error
    }
  }
  return { send, takeBack }
}

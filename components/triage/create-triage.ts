import { MutationObserver, onlineManager, type QueryClient } from '@tanstack/react-query'
import { toast } from '@/components/ui/toast'
import { ApiError, isWorthRetrying } from '@/lib/api/api-error'
import { TRIAGE_MUTATION } from '@/lib/api/refresh-triaged'
import { changeTriage } from '@/lib/api/triage'
import type { Triage } from '@/lib/contract/lead'
import type { TriageAnswer } from '@/lib/contract/triage'
import type { TriagedLead } from '@/lib/inbox/triage-versions'
import type { UndoStep } from '@/lib/inbox/undo-steps'
import { createUndo } from './create-undo'
import { settleTriage } from './settle-triage'
import { LIST_OF_KIND, showTriage } from './show-triage'
import type { TriageMemoryValue } from './triage-memory'
import type { TriageWords } from './triage-words'
import type { TriageDecision, TriageThen } from './use-triage'

export type TriageParts = { client: QueryClient; memory: TriageMemoryValue; t: TriageWords }
type Work = { leads: readonly TriagedLead[]; decision: TriageDecision }

/** What `useTriage` describes. */
export function createTriage(parts: TriageParts) {
  const { client, memory, t } = parts
  const undo = createUndo(parts)
  const send = createSend(parts)
  function change(leads: readonly TriagedLead[], decision: TriageDecision, then: TriageThen = {}): void {
    const wanted = leads.filter(({ triage }) => triage === undefined || !isAsDecided(triage, decision))
    if (wanted.length === 0) return
    const before = known(wanted)
    const decided = before.map((lead) => ({ ...lead, triage: { ...lead.triage, ...decision } }))
    showTriage(client, decided, { before: before.map(({ triage }) => triage), decision })
    const failed = (error: unknown) => {
      memory.steps.take(step)
      showTriage(client, before)
      toast(t('inbox.triage.failed', { count: wanted.length }), {
        tone: 'error',
        topic: 'triage',
        action: { label: t('inbox.triage.again'), onClick: () => change(wanted, decision, then) },
      })
      // The way back after signing in again leads to what could not be saved.
      if (error instanceof ApiError && error.kind === 'unauthenticated') then.onUndone?.(before)
      return null
    }
    const step: UndoStep = { before, token: send({ leads: wanted, decision }).then(tokenOf, failed) }
    memory.steps.add(step)
    toast(doneText(t, decision, wanted.length, then.left?.()), {
      topic: 'triage',
      action: { label: t('inbox.triage.undo'), onClick: () => takeBack(then.onUndone, step) },
    })
  }
  function takeBack(onUndone: TriageThen['onUndone'], wanted?: UndoStep): void {
    const step = undo(wanted)
    if (step !== undefined) onUndone?.(step.before)
  }
  return { change, undo: takeBack }
}

const RETRIES = 3

/** Sends decisions one after the other and shows what the server made of them. */
function createSend({ client, memory, t }: TriageParts): (work: Work) => Promise<TriageAnswer> {
  const isLast = () => client.isMutating({ mutationKey: TRIAGE_MUTATION }) <= 1
  const observer = () =>
    new MutationObserver<TriageAnswer, Error, Work>(client, {
      mutationKey: TRIAGE_MUTATION,
      scope: { id: 'triage' },
      retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
      mutationFn: ({ leads, decision: { status, assignee } }) =>
        changeTriage({
          leads: leads.map(memory.versions.of),
          ...(status !== undefined && { status }),
          ...(assignee !== undefined && { assignee: assignee?.id ?? 'none' }),
        }),
      onSuccess: ({ changed, conflicts }, { leads, decision }) => {
        const after = [...changed, ...conflicts.map((conflict) => ({ ...conflict, after: conflict.now }))]
        memory.versions.learn(after)
        // A later decision, already on screen, has the last word there.
        if (isLast())
          showTriage(
            client,
            after.map(({ kind, id, after: triage }) => ({ kind, id, triage })),
          )
        tellConflicts(
          t,
          conflicts.filter(({ now }) => !isAsDecided(now, decision)),
          leads.length,
        )
      },
      onSettled: (_answer, _error, { leads }) =>
        settleTriage(client, new Set(leads.map(({ kind }) => LIST_OF_KIND[kind]))),
    })
  return (work) => observer().mutate(work)
}

function known(leads: readonly TriagedLead[]) {
  return leads.flatMap(({ kind, id, triage }) => (triage === undefined ? [] : [{ kind, id, triage }]))
}

function tokenOf({ undo }: TriageAnswer): string | null {
  return undo
}

function isAsDecided(now: Triage, { status, assignee }: TriageDecision): boolean {
  return (
    (status === undefined || status === now.status) && (assignee === undefined || assignee?.id === now.assignee?.id)
  )
}

function doneText(
  t: TriageWords,
  { status, assignee }: TriageDecision,
  count: number,
  left: number | undefined,
): string {
  const person = assignee ? t('inbox.triage.assigned', { name: assignee.name }) : t('inbox.triage.unassigned')
  const what = status === undefined ? person : t(`common.status.${status}`)
  return [
    count === 1 ? t('inbox.triage.one', { what }) : t('inbox.triage.many', { count, what }),
    ...(left === undefined ? [] : [t('inbox.triage.left', { count: left })]),
    ...(onlineManager.isOnline() ? [] : [t('inbox.triage.waits')]),
  ].join(' ')
}

function tellConflicts(t: TriageWords, lost: TriageAnswer['conflicts'], of: number): void {
  const [first] = lost
  if (first === undefined) return
  const status = t(`common.status.${first.now.status}`)
  const text = of === 1 ? t('inbox.triage.conflict', { status }) : t('inbox.triage.conflicts', { count: lost.length })
  toast(text, { tone: 'error', topic: 'triage' })
}

import { MutationObserver } from '@tanstack/react-query'
import { toast } from '@/components/ui/toast'
import { isWorthRetrying } from '@/lib/api/api-error'
import { TRIAGE_MUTATION } from '@/lib/api/refresh-triaged'
import { undoTriage } from '@/lib/api/triage'
import type { LeadList } from '@/lib/contract/lead'
import type { UndoAnswer } from '@/lib/contract/triage'
import type { UndoStep } from '@/lib/inbox/undo-steps'
import type { TriageParts } from './create-triage'
import { settleTriage } from './settle-triage'
import { showTriage } from './show-triage'

const RETRIES = 3
const BOTH: ReadonlySet<LeadList> = new Set(['asked-questions', 'declarations-of-interest'])

/** Takes back what was decided: a certain step, or else the last; what somebody has changed since stays. */
export function createUndo({ client, memory, t }: TriageParts): (step?: UndoStep) => UndoStep | undefined {
  const { steps, versions } = memory
  const observer = () =>
    new MutationObserver<UndoAnswer | null, Error, UndoStep>(client, {
      mutationKey: TRIAGE_MUTATION,
      scope: { id: 'triage' },
      retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
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
      onSettled: () => settleTriage(client, BOTH),
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

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { TRIAGE_MUTATION } from '@/lib/api/refresh-triaged'
import { changeMatching } from '@/lib/api/triage-matching'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { createUndo } from './create-undo'
import { settleTriage } from './settle-triage'
import { useTriageMemory } from './triage-memory'
import type { TriageDecision } from './use-triage'

type Matching = LeadFilter & { list: LeadList }
type Report = (progress: { done: number; total: number }) => void
type Work = { matching: Matching; decision: TriageDecision; report: Report }

/** Decides on the server about every lead that matches; answers whether it came through. */
export function useTriageMatching() {
  const t = useTranslations('inbox.triage')
  const client = useQueryClient()
  const words = useTranslations()
  const memory = useTriageMemory()
  const { mutateAsync } = useMutation({
    mutationKey: TRIAGE_MUTATION,
    scope: { id: 'triage' },
    mutationFn: ({ matching, decision: { status, assignee }, report }: Work) =>
      changeMatching(
        {
          matching,
          ...(status !== undefined && { status }),
          ...(assignee !== undefined && { assignee: assignee?.id ?? 'none' }),
        },
        report,
      ),
    onSettled: (_answer, _error, { matching }) => settleTriage(client, new Set([matching.list])),
  })
  return async (matching: Matching, decision: TriageDecision, report: Report): Promise<boolean> => {
    try {
      const { changed, conflicts, undo: token } = await mutateAsync({ matching, decision, report })
      const step = { token: Promise.resolve(token), before: [] }
      if (token !== null) memory.steps.add(step)
      const text = conflicts > 0 ? t('changedBut', { changed, conflicts }) : t('changed', { count: changed })
      const action =
        token === null
          ? undefined
          : { label: t('undo'), onClick: () => void createUndo({ client, memory, t: words })(step) }
      toast(text, { topic: 'triage', action })
      return true
    } catch {
      toast(t('bulkFailed'), { tone: 'error' })
      return false
    }
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { lazyCode } from '@/components/browser/lazy-code'
import { useFindCommand } from '@/components/desk/commands'
import { toast } from '@/components/ui/toast'
import { createTriageHistory, type TriageHistory } from '@/lib/inbox/triage-history'
import { isQuestion } from '@/lib/inbox/lead-text'
import type { createDecisions } from './triage-decisions'

type Decisions = ReturnType<typeof createDecisions>

/** Decides about leads: at once on screen, then on the server in order. What fails is put back, and a toast says so. */
export function useTriage() {
  const t = useTranslations()
  const locale = useLocale()
  const client = useQueryClient()
  const history = useContext(History)
  const find = useFindCommand()
  if (history === null) throw new Error('TriageProvider is missing')
  return useMemo(() => {
    const decisions = async () => {
      const code = await triageCode.want()
      if (code === undefined) toast(t('trouble.cannotDecide'), { tone: 'error', topic: 'triage' })
      return code?.createDecisions({ client, history, t, locale, showRecent: () => find('recentChanges') })
    }
    return {
      change: async (...change: Parameters<Decisions['change']>) => {
        const [leads, , options] = change
        const decided = await decisions()
        // Back to what is still undecided: the next one has come up already.
        if (decided === undefined) options?.onUndone?.(options.from === undefined ? leads : [options.from])
        else decided.change(...change)
      },
      note: async (...noted: Parameters<Decisions['note']>) => {
        const decided = await decisions()
        const [{ item, onTakenBack }, onUndone] = noted
        if (decided !== undefined) return decided.note(...noted)
        onTakenBack?.()
        onUndone?.([{ kind: isQuestion(item) ? 'asked-question' : 'declaration-of-interest', id: item.id }])
      },
      undo: async (onUndone?: Parameters<Decisions['undo']>[0]) => (await decisions())?.undo(onUndone),
      /** Answers later whether nothing that was decided after now is there to take back. */
      mark: history.steps.mark,
      changeMatching: async (...change: Parameters<Decisions['changeMatching']>) =>
        (await (await decisions())?.changeMatching(...change)) ?? false,
      undoRecent: async (...recent: Parameters<Decisions['undoRecent']>) =>
        (await (await decisions())?.undoRecent(...recent)) ?? false,
    }
  }, [client, history, t, locale, find])
}

export const triageCode = lazyCode(async () => {
  const [decisions, nextLead] = await Promise.all([import('./triage-decisions'), import('./next-lead')])
  return { ...decisions, nextUnhandled: nextLead.nextUnhandled }
})

const History = createContext<TriageHistory | null>(null)

export function TriageProvider({ children }: { children: ReactNode }) {
  const [history] = useState(createTriageHistory)
  return <History value={history}>{children}</History>
}

import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { createTriageHistory, type TriageHistory } from '@/lib/inbox/triage-history'
import type { createDecisions } from './triage-decisions'

type Decisions = ReturnType<typeof createDecisions>

/**
 * Decides about leads: at once on screen, then on the server, in the order of deciding. What fails is put back, what
 * somebody else decided meanwhile stands, and a toast says so; without a network it waits until there is one. The code is
 * loaded when it is first used, or ahead of that by `loadTriage`.
 */
export function useTriage() {
  const t = useTranslations()
  const client = useQueryClient()
  const history = useContext(History)
  if (history === null) throw new Error('TriageProvider is missing')
  return useMemo(() => {
    const decisions = async () => (await loadTriage()).createDecisions({ client, history, t })
    return {
      change: async (...change: Parameters<Decisions['change']>) => (await decisions()).change(...change),
      /** Takes the last decision back. */
      undo: async (onUndone?: Parameters<Decisions['undo']>[0]) => (await decisions()).undo(onUndone),
      /** About every lead that matches; answers whether it came through. */
      changeMatching: async (...change: Parameters<Decisions['changeMatching']>) =>
        (await decisions()).changeMatching(...change),
    }
  }, [client, history, t])
}

/** Loads the code; may be called before it is wanted. */
export const loadTriage = () => import('./triage-decisions')

const History = createContext<TriageHistory | null>(null)

/** Keeps what was decided in this tab, so that it can be taken back from any screen. */
export function TriageProvider({ children }: { children: ReactNode }) {
  const [history] = useState(createTriageHistory)
  return <History value={history}>{children}</History>
}

import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { toast } from '@/components/ui/toast'
import type { createTriage } from './triage'

type TriageActions = ReturnType<typeof createTriage>
type Args<Name extends keyof TriageActions> = Parameters<TriageActions[Name]>

const loadTriageCode = () => import('./triage')
/** Preloads the code, so that users can decide even if the network fails later. */
export const preloadTriage = () => Promise.all([loadTriageCode(), import('@/lib/inbox/own-numbers')])

/** Returns the actions that change leads. Their code is loaded at the first call; if that fails, a toast says so. */
export function useTriage() {
  const t = useTranslations('inbox.triage')
  const tTrouble = useTranslations('trouble')
  const locale = useLocale()
  const client = useQueryClient()
  return useMemo(() => {
    const load = async (): Promise<TriageActions | undefined> => {
      const code = await loadTriageCode().catch(() => undefined)
      if (code === undefined) toast(tTrouble('cannotDecide'), { tone: 'error', topic: 'triage' })
      return code?.createTriage(client, t, locale)
    }
    return {
      change: async (...args: Args<'change'>) => (await load())?.change(...args),
      changeMatching: async (...args: Args<'changeMatching'>) => (await load())?.changeMatching(...args),
      noteAttempt: async (...args: Args<'noteAttempt'>) => (await load())?.noteAttempt(...args),
      applyMailDecision: async (...args: Args<'applyMailDecision'>) => (await load())?.applyMailDecision(...args),
      undo: async (...args: Args<'undo'>) => (await load())?.undo(...args),
    }
  }, [client, t, tTrouble, locale])
}

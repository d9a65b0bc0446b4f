import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useMemo } from 'react'
import { toast } from '@/components/ui/toast'
import { UNSENT_KEY } from '@/lib/inbox/own-changes'
import { useCurrentUser } from './current-user'
import { waitForInput } from './preload'
import type { createTriage } from './triage'

type Triage = ReturnType<typeof createTriage>

const loadTriageCode = () => import('./triage')
/** Preloads the code, so that users can decide even if the network fails later. */
export const loadTriage = () => Promise.all([loadTriageCode(), import('@/lib/inbox/own-numbers')])

/** Returns the actions that change leads. Their code is loaded at the first call; if that fails, a toast says so. */
export function useTriage() {
  const t = useTranslations('inbox.triage')
  const tTrouble = useTranslations('trouble')
  const locale = useLocale()
  const client = useQueryClient()
  return useMemo(() => {
    const load = async (): Promise<Triage | undefined> => {
      const code = await loadTriageCode().catch(() => undefined)
      if (code === undefined) toast(tTrouble('cannotDecide'), { tone: 'error', topic: 'triage' })
      return code?.createTriage(client, t, locale)
    }
    return {
      change: async (...args: Parameters<Triage['change']>) => (await load())?.change(...args),
      changeMatching: async (...args: Parameters<Triage['changeMatching']>) => (await load())?.changeMatching(...args),
      noteAttempt: async (...args: Parameters<Triage['noteAttempt']>) => (await load())?.noteAttempt(...args),
      applyMailDecision: async (...args: Parameters<Triage['applyMailDecision']>) =>
        (await load())?.applyMailDecision(...args),
      undo: async (...args: Parameters<Triage['undo']>) => (await load())?.undo(...args),
    }
  }, [client, t, tTrouble, locale])
}

/** Guards the unsaved texts of this tab, and sends the changes that it stored before a reload. */
export function useUnsavedGuard(): void {
  const t = useTranslations('inbox.triage')
  const locale = useLocale()
  const client = useQueryClient()
  const owner = useCurrentUser()?.id ?? ''
  useEffect(() => {
    const unmount = new AbortController()
    const start = async () => {
      const { guardUnsaved } = await import('./unsaved-guard')
      // The guard comes first, because it forgets what this tab has stored before a sign-out in another tab.
      guardUnsaved(window, owner, unmount.signal)
      // Without stored changes the code is loaded at the first input only.
      if (sessionStorage.getItem(UNSENT_KEY) === null) await waitForInput(unmount.signal)
      const [{ persistUnsent }, { createTriage }] = await Promise.all([
        import('@/lib/inbox/unsent-changes'),
        loadTriageCode(),
      ])
      if (unmount.signal.aborted) return
      // `createTriage` sets the options with which stored changes are sent.
      createTriage(client, t, locale)
      unmount.signal.addEventListener('abort', persistUnsent(client, owner, sessionStorage))
    }
    // If the code cannot be loaded, stored changes wait for the next page.
    start().catch(() => {})
    return () => unmount.abort()
  }, [client, t, locale, owner])
}

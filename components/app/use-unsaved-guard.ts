import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { UNSENT_KEY } from '@/lib/inbox/own-changes'
import { useCurrentUser } from './current-user'
import { waitForInput } from './preload'

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
        import('./triage'),
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

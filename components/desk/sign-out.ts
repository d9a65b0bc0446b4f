import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { signOut } from '@/lib/api/auth-requests'
import { noteSignOut } from '@/lib/inbox/signed-out'

/** Signs out, and leaves nothing of the person in this tab, nor in the browser's others (`CurrentUserProvider` hears of it). */
export function useSignOut(): () => Promise<void> {
  const t = useTranslations('shell.account')
  const client = useQueryClient()
  return async () => {
    // No more requests: those on their way would come back refused.
    onlineManager.setOnline(false)
    await client.cancelQueries()
    const next = await signOut()
    if (next !== null) {
      // Whoever signs in next in this tab must not meet the searches and drafts of this person.
      sessionStorage.clear()
      noteSignOut(localStorage, String(Date.now()))
      location.assign(next)
    } else {
      onlineManager.setOnline(true)
      toast(t('signOutFailed'), { tone: 'error' })
    }
  }
}

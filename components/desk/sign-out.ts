import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { toast } from '@/components/ui/toast'
import { signOut } from '@/lib/api/auth-requests'
import { leavingReplies } from '@/lib/inbox/leaving-replies'
import { noteSignOut } from '@/lib/inbox/drafts'

/** Signs out and leaves nothing of the person here. Sends a reply that waits first; asks where it cannot be sent. */
export function useSignOut(): () => Promise<void> {
  const t = useTranslations('shell.account')
  const client = useQueryClient()
  const end = async () => {
    // No more requests: those on their way would come back refused.
    onlineManager.setOnline(false)
    await client.cancelQueries()
    const next = await signOut()
    if (next !== null) {
      // The next person in this tab must not see the searches and drafts of this one.
      sessionStorage.clear()
      noteSignOut(localStorage, String(Date.now()))
      location.assign(next)
    } else {
      onlineManager.setOnline(true)
      toast(t('signOutFailed'), { tone: 'error' })
    }
  }
  return async () => {
    if (await leavingReplies.sendAll()) return end()
    const anyway = { label: t('signOutAnyway'), onClick: () => void end() }
    toast(t('signOutStopped'), { tone: 'error', stays: true, action: anyway })
  }
}

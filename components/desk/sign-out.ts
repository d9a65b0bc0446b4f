import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { toast } from '@/components/ui/toast'
import { signOut } from '@/lib/api/auth-requests'
import { DECIDING } from '@/lib/api/triage'
import { leavingReplies } from '@/lib/inbox/leaving-replies'
import { noteSignOut } from '@/lib/inbox/drafts'
import { tabUnsent } from '@/lib/inbox/unsent'

const SAVED_WITHIN_MS = 2_000
const LOOK_MS = 100

/** Whether what the user decided has reached the server, at once or within a moment. */
async function isSaved(client: QueryClient): Promise<boolean> {
  for (let waitedMs = 0; client.isMutating({ mutationKey: DECIDING }) > 0; waitedMs += LOOK_MS) {
    if (waitedMs >= SAVED_WITHIN_MS || !onlineManager.isOnline()) return false
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return true
}

/** Signs out and leaves nothing of the user here. Sends what waits first; asks where it cannot be sent. */
export function useSignOut(): () => Promise<void> {
  const t = useTranslations('shell.account')
  const client = useQueryClient()
  const isRunning = useRef(false)
  const end = async () => {
    // No more requests: those on their way would come back refused.
    onlineManager.setOnline(false)
    await client.cancelQueries()
    const next = await signOut()
    if (next !== null) {
      tabUnsent.stop()
      // The next person in this tab must not see the searches and drafts of this one.
      sessionStorage.clear()
      noteSignOut(localStorage, String(Date.now()))
      location.assign(next)
    } else {
      onlineManager.setOnline(navigator.onLine)
      toast(t('signOutFailed'), { tone: 'error' })
    }
  }
  const leave = async () => {
    const haveLeft = await leavingReplies.sendAll()
    if (haveLeft && (await isSaved(client))) return end()
    const anyway = { label: t('signOutAnyway'), onClick: () => void end() }
    const said = t(haveLeft ? 'signOutUnsaved' : 'signOutStopped')
    toast(said, { tone: 'error', stays: true, topic: 'sign-out', action: anyway })
  }
  return async () => {
    if (isRunning.current) return
    isRunning.current = true
    try {
      await leave()
    } finally {
      isRunning.current = false
    }
  }
}

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
const POLL_MS = 100

async function isSaved(client: QueryClient): Promise<boolean> {
  for (let waitedMs = 0; client.isMutating({ mutationKey: DECIDING }) > 0; waitedMs += POLL_MS) {
    if (waitedMs >= SAVED_WITHIN_MS || !onlineManager.isOnline()) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}

/** Sends pending changes, or asks when they cannot be sent; then signs out and clears what this tab stored. */
export function useSignOut(): () => Promise<void> {
  const t = useTranslations('shell.account')
  const client = useQueryClient()
  const isRunning = useRef(false)
  const endSession = async () => {
    // No more requests: those on their way would come back refused.
    onlineManager.setOnline(false)
    await client.cancelQueries()
    const next = await signOut()
    if (next !== null) {
      tabUnsent.stop()
      // The next user of this tab must not see the searches and drafts of this one.
      sessionStorage.clear()
      noteSignOut(localStorage, String(Date.now()))
      location.assign(next)
    } else {
      onlineManager.setOnline(navigator.onLine)
      toast(t('signOutFailed'), { tone: 'error' })
    }
  }
  const saveAndLeave = async () => {
    const areRepliesSent = await leavingReplies.sendAll()
    if (areRepliesSent && (await isSaved(client))) return endSession()
    const anyway = { label: t('signOutAnyway'), onClick: () => void endSession() }
    const message = t(areRepliesSent ? 'signOutUnsaved' : 'signOutStopped')
    toast(message, { tone: 'error', stays: true, topic: 'sign-out', action: anyway })
  }
  return async () => {
    if (isRunning.current) return
    isRunning.current = true
    try {
      await saveAndLeave()
    } finally {
      isRunning.current = false
    }
  }
}

'use client'

import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { signOut } from '@/components/signin/auth-requests'
import { toast } from '@/components/ui/toast'

/** Signs out. */
export function useLeave(): () => Promise<void> {
  const t = useTranslations('shell.account')
  const client = useQueryClient()
  return async () => {
    // Nothing is asked for any more, or what is on its way would come back refused.
    onlineManager.setOnline(false)
    await client.cancelQueries()
    if (await signOut()) {
      // Whoever signs in next in this tab must not meet the searches and drafts of this person.
      sessionStorage.clear()
      location.assign('/signin?signedOut')
    } else {
      onlineManager.setOnline(true)
      toast(t('signOutFailed'), { tone: 'error' })
    }
  }
}

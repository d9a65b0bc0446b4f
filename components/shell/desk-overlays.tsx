import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { Reauthentication } from '@/components/account/reauthentication'
import { useFeedStatus } from '@/components/app/feed-status'
import { LeaveDialogHost, SessionLostDialog } from '@/components/app/global-dialogs'
import { createWindowSubscription } from '@/components/ui/external-store'
import { toast } from '@/components/ui/toast'
import { Toaster } from '@/components/ui/toaster'
import { NOT_SAVED, type NotSaved } from '@/lib/api/send'
import type { FeedList } from '@/lib/contract/lists'

/** Shows toasts and dialogs above every screen, and refreshes a screen that lacked the `missingLists`. */
export function DeskOverlays({ missingLists }: { missingLists: readonly FeedList[] }) {
  const t = useTranslations('shell')
  useNotSavedToast()
  useRefreshOnArrival(missingLists)
  return (
    <>
      <SessionLostDialog />
      <Reauthentication />
      <LeaveDialogHost />
      <Toaster label={t('notifications')} />
    </>
  )
}

const onNotSaved = createWindowSubscription(NOT_SAVED)

/** Says by a toast why nothing was saved: the database is away, or Intag is open at another address than its own. */
function useNotSavedToast() {
  const t = useTranslations('trouble.notSaved')
  useEffect(() => {
    return onNotSaved(({ detail }: Event & { detail?: NotSaved }) => {
      if (detail !== undefined) toast(t(detail), { tone: 'error' })
    })
  }, [t])
}

/** Asks the server to render the screen again, and repeats failed queries, when one of the lists has arrived. */
function useRefreshOnArrival(missingLists: readonly FeedList[]) {
  const client = useQueryClient()
  const router = useRouter()
  const { data: status } = useFeedStatus()
  // This is a string, because an effect compares its dependencies by identity.
  const arrivedLists = missingLists.filter((list) => status && status.lists[list] !== null).join(' ')
  useEffect(() => {
    if (arrivedLists === '') return
    router.refresh()
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
  }, [arrivedLists, router, client])
}

import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { Reauthentication } from '@/components/account/reauthentication'
import { LeavingQuestion, SessionLost } from '@/components/app/questions'
import { onEvents } from '@/components/ui/browser-tab'
import { toast } from '@/components/ui/toast'
import { Toaster } from '@/components/ui/toaster'
import { NOT_SAVED, type NotSaved } from '@/lib/api/send'

/** What may come over any screen, but not with its first moment: notices and questions. */
export function LateBackground() {
  const t = useTranslations('shell')
  useNotSavedNotice()
  return (
    <>
      <SessionLost />
      <Reauthentication />
      <LeavingQuestion />
      <Toaster label={t('notifications')} />
    </>
  )
}

const onNotSaved = onEvents(() => window, NOT_SAVED)
const REPEAT_MS = 20_000

/** Says why nothing was saved: the database is away, or Intag is open at another address than its own. */
function useNotSavedNotice(): void {
  const t = useTranslations('trouble.notSaved')
  useEffect(() => {
    let shownAt = -Infinity
    return onNotSaved(({ detail, timeStamp }: Event & { detail?: NotSaved }) => {
      // What is tried again by itself fails again by the same.
      if (detail === undefined || timeStamp - shownAt < REPEAT_MS) return
      shownAt = timeStamp
      toast(t(detail), { tone: 'error' })
    })
  }, [t])
}

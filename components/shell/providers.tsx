'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useState } from 'react'
import { optionalPart } from '@/components/browser/lazy-code'
import { LiveProvider } from '@/components/browser/live'
import { cancelKeptLetters, useLettersKeptFor } from '@/components/browser/typing'
import { UrlStateProvider } from '@/components/browser/url-state'
import { useCancelReplyElsewhere } from '@/components/contact/reply-request'
import { CommandsProvider } from '@/components/desk/commands'
import { CurrentListProvider } from '@/components/desk/current-list'
import { NavigationProvider } from '@/components/desk/navigate'
import { lazyDialog } from '@/components/desk/lazy-part'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { TriageProvider } from '@/components/triage/use-triage'
import { shouldRetry, NOT_SAVED, type NotSaved, retryDelayMs, SESSION_LOST } from '@/lib/api/send'
import { Reauthentication } from './reauthentication'

/** A browser's first number takes 13 ms, whichever it is: in a task of its own, not amid the first rendering. */
if (typeof document !== 'undefined') setTimeout(() => new Intl.NumberFormat(document.documentElement.lang || undefined))

const Toaster = optionalPart(async () => (await import('@/components/ui/toaster')).Toaster)

export function Providers({ userId, children }: { userId: string; children: ReactNode }) {
  const t = useTranslations('shell')
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay: retryDelayMs } } }),
  )
  return (
    <QueryClientProvider client={queryClient}>
      <UrlStateProvider>
        <LiveProvider userId={userId}>
          <TriageProvider>
            <CurrentListProvider>
              <CommandsProvider>
                <NavigationProvider>{children}</NavigationProvider>
              </CommandsProvider>
            </CurrentListProvider>
          </TriageProvider>
        </LiveProvider>
        <SessionLost />
        <Reauthentication />
        <NotSavedNotice />
        <KeptLetters />
        <Toaster label={t('notifications')} />
      </UrlStateProvider>
    </QueryClientProvider>
  )
}

const SessionLostDialog = lazyDialog(async () => (await import('@/components/account/proof-dialog')).SessionLostDialog)

function SessionLost() {
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const note = () => setLost(true)
    window.addEventListener(SESSION_LOST, note)
    return () => window.removeEventListener(SESSION_LOST, note)
  }, [])
  return isLost && <SessionLostDialog onClose={() => setLost(false)} />
}

const REPEAT_MS = 20_000

/** Says why nothing was saved: the database is away, or Intag is open at another address than its own. */
function NotSavedNotice() {
  const t = useTranslations('trouble.notSaved')
  useEffect(() => {
    let shownAt = -Infinity
    const onRefused = ({ detail, timeStamp }: Event & { detail?: NotSaved }) => {
      // What is tried again by itself fails again by the same.
      if (detail === undefined || timeStamp - shownAt < REPEAT_MS) return
      shownAt = timeStamp
      toast(t(detail), { tone: 'error' })
    }
    window.addEventListener(NOT_SAVED, onRefused)
    return () => window.removeEventListener(NOT_SAVED, onRefused)
  }, [t])
  return null
}

/** Says that what is typed waits for what is about to open, and that Escape cancels it. */
function KeptLetters() {
  const t = useTranslations()
  const what = useLettersKeptFor()
  useCancelReplyElsewhere()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 top-16 z-50 flex justify-center desk:top-4">
      {what !== null && (
        <p className="kept-notice">
          {t(`shell.kept.${what}`)}
          <Button text={t('common.cancel')} size="sm" onClick={cancelKeptLetters} />
        </p>
      )}
    </div>
  )
}

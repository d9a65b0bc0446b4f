'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useState } from 'react'
import { onEvents } from '@/components/browser/browser-tab'
import { LiveProvider } from '@/components/browser/live'
import { UrlStateProvider } from '@/components/browser/url-state'
import { useCancelReplyElsewhere } from '@/components/contact/reply-request'
import { CommandsProvider } from '@/components/desk/commands'
import { CurrentListProvider } from '@/components/desk/current-list'
import { NavigationProvider } from '@/components/desk/navigate'
import { lazyDialog, optionalPart } from '@/components/desk/lazy-part'
import { cancelOpening, useIsOpening } from '@/components/desk/opening'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { TriageProvider } from '@/components/triage/use-triage'
import { shouldRetry, NOT_SAVED, type NotSaved, retryDelayMs, SESSION_LOST } from '@/lib/api/send'
import { Reauthentication } from './questions'

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
        <OpeningNotice />
        <Toaster label={t('notifications')} />
      </UrlStateProvider>
    </QueryClientProvider>
  )
}

const SessionLostDialog = lazyDialog(async () => (await import('@/components/account/proof-dialog')).SessionLostDialog)

const onSessionLost = onEvents(() => window, SESSION_LOST)

function SessionLost() {
  const [isLost, setLost] = useState(false)
  useEffect(() => onSessionLost(() => setLost(true)), [])
  return isLost && <SessionLostDialog onClose={() => setLost(false)} />
}

const onNotSaved = onEvents(() => window, NOT_SAVED)
const REPEAT_MS = 20_000

/** Says why nothing was saved: the database is away, or Intag is open at another address than its own. */
function NotSavedNotice() {
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
  return null
}

/** Says that something is about to open, that keys do nothing until then, and that Escape cancels it. */
function OpeningNotice() {
  const t = useTranslations()
  const isOpening = useIsOpening()
  useCancelReplyElsewhere()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 top-16 z-50 flex justify-center desk:top-4">
      {isOpening && (
        <p className="opening-notice">
          {t('shell.opening')}
          <Button text={t('common.cancel')} size="sm" onClick={cancelOpening} />
        </p>
      )}
    </div>
  )
}

'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useLive } from '@/components/app/live'
import { UrlStateProvider } from '@/components/app/url-state'
import { useCancelReplyElsewhere } from '@/components/contact/reply-request'
import { useCommandKeys } from '@/components/app/commands'
import { NavigationProvider } from '@/components/app/navigate'
import { cancelOpening, useIsOpening } from '@/components/app/opening'
import { Button } from '@/components/ui/button'
import { shouldRetry, retryDelayMs } from '@/lib/api/send'

/** A browser's first number takes 13 ms, whichever it is: in a task of its own, not amid the first rendering. */
if (typeof document !== 'undefined') setTimeout(() => new Intl.NumberFormat(document.documentElement.lang || undefined))

export function Providers({ userId, children }: { userId: string; children: ReactNode }) {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay: retryDelayMs } } }),
  )
  return (
    <QueryClientProvider client={queryClient}>
      <UrlStateProvider>
        <NavigationProvider>{children}</NavigationProvider>
        <Background userId={userId} />
      </UrlStateProvider>
    </QueryClientProvider>
  )
}

/** Hears keys and the server's news. */
function Background({ userId }: { userId: string }) {
  useCommandKeys()
  useLive(userId)
  return <OpeningNotice />
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

'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { LiveProvider } from '@/components/browser/live'
import { UrlStateProvider } from '@/components/browser/url-state'
import { CommandsProvider } from '@/components/desk/commands'
import { CurrentListProvider } from '@/components/desk/current-list'
import { GoingProvider } from '@/components/desk/go'
import { lazyDialog } from '@/components/desk/lazy-part'
import { Toaster } from '@/components/ui/toast'
import { TriageProvider } from '@/components/triage/use-triage'
import { isTriedAgain, READING_ASKED, retryDelayMs, SESSION_LOST } from '@/lib/api/send'

/** A browser's first number takes 13 ms, whichever it is: in a task of its own, not amid the first rendering. */
if (typeof document !== 'undefined') setTimeout(() => new Intl.NumberFormat(document.documentElement.lang || undefined))

/** What every screen behind sign-in shares in the browser. */
export function Providers({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const [queryClient] = useState(makeQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <UrlStateProvider>
        <LiveProvider>
          <TriageProvider>
            <CurrentListProvider>
              <CommandsProvider>
                <GoingProvider>{children}</GoingProvider>
              </CommandsProvider>
            </CurrentListProvider>
          </TriageProvider>
        </LiveProvider>
        <Interruptions />
        <Toaster label={t('notifications')} />
      </UrlStateProvider>
    </QueryClientProvider>
  )
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: isTriedAgain, retryDelay: retryDelayMs },
    },
  })
}

const SessionLostDialog = lazyDialog(async () => (await import('./session-lost-dialog')).SessionLostDialog)

const ReadingQuestion = lazyDialog(async () => (await import('@/components/reading/reading-question')).ReadingQuestion)

/** What comes up because of an answer of the server: the session is over, or the person is to say why they read so much. */
function Interruptions() {
  const [isLost, endLost] = useHeard(SESSION_LOST)
  const [isAsked, endAsked] = useHeard(READING_ASKED, QUIET_MS)
  if (isLost) return <SessionLostDialog onClose={endLost} />
  return isAsked && <ReadingQuestion onClose={endAsked} />
}

/** As long as the server asks somebody again who has put the question off. */
const QUIET_MS = 15 * 60_000

/** Whether the window has heard of something that nobody has ended since; what was ended is not heard for a while (ms). */
function useHeard(name: string, quietMs = 0): [boolean, () => void] {
  const [isHeard, setHeard] = useState(false)
  const endedAt = useRef(-quietMs)
  useEffect(() => {
    const onEvent = () => performance.now() - endedAt.current >= quietMs && setHeard(true)
    window.addEventListener(name, onEvent)
    return () => window.removeEventListener(name, onEvent)
  }, [name, quietMs])
  const end = () => {
    endedAt.current = performance.now()
    setHeard(false)
  }
  return [isHeard, end]
}

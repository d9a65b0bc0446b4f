'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { TriageMemory } from '@/components/triage/triage-memory'
import { Toaster } from '@/components/ui/toaster'
import { isWorthRetrying } from '@/lib/api/api-error'
import { CommandsProvider } from './commands'
import { LiveProvider } from './live'
import { SessionLost } from './session-lost'
import { ShownListProvider } from './shown-list'
import { UrlStateProvider } from './url-state'

/** What every screen behind sign-in shares in the browser. */
export function Providers({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const [queryClient] = useState(makeQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <UrlStateProvider>
        <LiveProvider>
          <TriageMemory>
            <ShownListProvider>
              <CommandsProvider>{children}</CommandsProvider>
            </ShownListProvider>
          </TriageMemory>
        </LiveProvider>
        <SessionLost />
        <Toaster label={t('notifications')} />
      </UrlStateProvider>
    </QueryClientProvider>
  )
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: (failures, error) => failures < 2 && isWorthRetrying(error) } },
  })
}

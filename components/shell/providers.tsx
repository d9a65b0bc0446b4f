'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState } from 'react'
import { Toaster } from '@/components/ui/toaster'
import { isWorthRetrying } from '@/lib/api/api-error'
import { LiveProvider } from './live'
import { SessionLost } from './session-lost'

/** What every screen behind sign-in shares in the browser. */
export function Providers({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const [queryClient] = useState(makeQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <NuqsAdapter>
        <LiveProvider>{children}</LiveProvider>
        <SessionLost />
        <Toaster label={t('notifications')} />
      </NuqsAdapter>
    </QueryClientProvider>
  )
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: (failures, error) => failures < 2 && isWorthRetrying(error) } },
  })
}

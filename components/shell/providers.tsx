'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type CurrentUser, CurrentUserContext } from '@/components/app/current-user'
import { NavigationProvider } from '@/components/app/navigate'
import { UrlStateProvider } from '@/components/app/url-state'
import { queryRetries } from '@/lib/api/send'

/** A browser's first number format takes 13 ms, so it is made in a task of its own, not amid the first rendering. */
if (typeof document !== 'undefined') setTimeout(() => new Intl.NumberFormat(document.documentElement.lang || undefined))

export function Providers({ user, children }: { user: CurrentUser; children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: queryRetries } }))
  return (
    <QueryClientProvider client={queryClient}>
      <CurrentUserContext value={user}>
        <UrlStateProvider>
          <NavigationProvider>{children}</NavigationProvider>
        </UrlStateProvider>
      </CurrentUserContext>
    </QueryClientProvider>
  )
}

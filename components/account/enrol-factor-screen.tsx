'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { LeaveDialogHost } from '@/components/app/global-dialogs'
import { Button } from '@/components/ui/button'
import { Toaster } from '@/components/ui/toaster'
import { requestSignOut } from '@/components/ui/unsaved-work'
import { queryRetries } from '@/lib/api/retry'
import type { Answer } from '@/lib/contract/endpoints'
import { Reauthentication } from './reauthentication'
import { SecondFactorsSection } from './second-factors-section'

/** Some roles must add a second factor before they enter the shell, so this screen has its own dialogs and toaster. */
export function EnrolFactorScreen({ initialFactors }: { initialFactors: Answer<'GET /api/account/second-factors'> }) {
  const t = useTranslations()
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: queryRetries } }))
  return (
    <QueryClientProvider client={queryClient}>
      <SecondFactorsSection initialFactors={initialFactors} onFinished={() => location.assign('/')} />
      <Button text={t('account.enrol.signOut')} variant="ghost" className="mt-8" onClick={requestSignOut} />
      <LeaveDialogHost />
      <Reauthentication />
      <Toaster label={t('shell.notifications')} />
    </QueryClientProvider>
  )
}

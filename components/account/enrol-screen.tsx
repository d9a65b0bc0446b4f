'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { requestSignOut } from '@/components/ui/unsaved-work'
import { Reauthentication } from './reauthentication'
import { LeavingQuestion } from '@/components/app/questions'
import { Button } from '@/components/ui/button'
import { Toaster } from '@/components/ui/toaster'
import type { SecondFactorsAnswer } from '@/lib/contract/account'
import { SecondFactorsSection } from './second-factors-section'

/** For a user whose role requires a second factor, and who has none. It stands outside the frame of the other screens. */
export function EnrolScreen({ initial }: { initial: SecondFactorsAnswer }) {
  const t = useTranslations()
  const [queryClient] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={queryClient}>
      <SecondFactorsSection initial={initial} onFinished={() => location.assign('/')} />
      <Button text={t('account.enrol.signOut')} variant="ghost" className="mt-8" onClick={requestSignOut} />
      <LeavingQuestion />
      <Reauthentication />
      <Toaster label={t('shell.notifications')} />
    </QueryClientProvider>
  )
}

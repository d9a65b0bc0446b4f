'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { requestSignOut } from '@/components/browser/unsaved-work'
import { LeavingQuestion } from '@/components/shell/leaving-question'
import { Reauthentication } from '@/components/shell/reauthentication'
import { Button } from '@/components/ui/button'
import { Toaster } from '@/components/ui/toaster'
import type { SecondFactorsAnswer } from '@/lib/contract/account'
import { SecondFactorsSection } from './second-factors-section'

/** For a user whose role requires a second factor, and who has none. It stands outside the frame of the other screens. */
export function EnrolScreen({ initial }: { initial: SecondFactorsAnswer }) {
  const shell = useTranslations('shell')
  const [queryClient] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={queryClient}>
      <SecondFactorsSection initial={initial} onFinished={() => location.assign('/')} />
      <SignOut />
      <LeavingQuestion />
      <Reauthentication />
      <Toaster label={shell('notifications')} />
    </QueryClientProvider>
  )
}

function SignOut() {
  const t = useTranslations('account.enrol')
  return <Button text={t('signOut')} variant="ghost" className="mt-8" onClick={requestSignOut} />
}

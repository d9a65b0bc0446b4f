'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useSignOut } from '@/components/desk/sign-out'
import { ProofNeeded } from '@/components/shell/proof-needed'
import { Button } from '@/components/ui/button'
import { Toaster } from '@/components/ui/toast'
import type { SecondFactorsAnswer } from '@/lib/contract/account'
import { SecondFactorsSection } from './second-factors-section'

export function EnrolScreen({ first }: { first: SecondFactorsAnswer }) {
  const shell = useTranslations('shell')
  const [queryClient] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={queryClient}>
      <SecondFactorsSection first={first} onAdded={() => location.assign('/')} />
      <SignOut />
      <ProofNeeded />
      <Toaster label={shell('notifications')} />
    </QueryClientProvider>
  )
}

function SignOut() {
  const t = useTranslations('account.enrol')
  const signOut = useSignOut()
  return (
    <Button variant="ghost" className="mt-8" onClick={() => void signOut()}>
      {t('signOut')}
    </Button>
  )
}

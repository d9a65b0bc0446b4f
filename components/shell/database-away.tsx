'use client'

import { DatabaseZap } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

const AGAIN_MS = 5_000

/** In place of a screen that the database is needed for. The page is asked for again by itself, and by the button. */
export function DatabaseAway() {
  const t = useTranslations('trouble')
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [router])
  return (
    <div role="alert" className="grid h-full place-items-center">
      <EmptyState
        icon={<DatabaseZap />}
        isScreen
        title={t('databaseAwayTitle')}
        action={<Button onClick={() => router.refresh()}>{t('again')}</Button>}
      >
        {t('databaseAwayBody')}
      </EmptyState>
    </div>
  )
}

'use client'

import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { Button } from '@/components/ui/button'

const REFRESH_EVERY_MS = 5_000

/** Refreshes a page that the server cannot render just now: every five seconds, or at once on a press. */
export function AutoRefreshButton() {
  const t = useTranslations('trouble')
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), REFRESH_EVERY_MS)
    return () => clearInterval(timer)
  }, [router])
  return <Button text={t('again')} onClick={() => router.refresh()} />
}

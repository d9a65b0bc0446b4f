'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'

/** Leads to what is new since an export. */
export function AgainButton({ onClick }: { onClick: () => void }) {
  const t = useTranslations('export.history')
  return (
    <Button size="sm" onClick={onClick}>
      {t('again')}
    </Button>
  )
}

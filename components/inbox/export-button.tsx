'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'

type ExportButtonProps = {
  /** Undefined until it is known. */
  total: number | undefined
  onExport: () => void
}

/** Everything that the list shows now, as a file. A phone has room for the sign only. */
export function ExportButton({ total, onExport }: ExportButtonProps) {
  const t = useTranslations('inbox')
  return (
    <Button
      size="sm"
      variant="ghost"
      disabled={total === undefined || total === 0}
      onClick={onExport}
      className="px-2 touch:min-w-11"
    >
      <Download aria-hidden className="size-3.5 touch:size-4" />
      <span className="sr-only desk:not-sr-only">{t('export')}</span>
    </Button>
  )
}

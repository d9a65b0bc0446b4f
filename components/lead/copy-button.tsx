'use client'

import { Check, Copy } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'

const SHOWN_MS = 1_600

export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useTranslations('lead')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast(t('copyFailed'), { tone: 'error' }),
    )
  return (
    <Button size="sm" className="touch:min-w-11" aria-label={label} onClick={() => void copy()}>
      {copied ? (
        <Check aria-hidden className="size-3.5 text-status-handled" />
      ) : (
        <Copy aria-hidden className="size-3.5" />
      )}
      <span aria-live="polite" className="sr-only @lg:not-sr-only">
        {copied ? t('copied') : t('copy')}
      </span>
    </Button>
  )
}

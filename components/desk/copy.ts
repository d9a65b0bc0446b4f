import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { toast } from '@/components/ui/toast'

const CONFIRMED_MS = 1_600

/** A failure is shown in a toast. */
export function useCopy(text: string): [copied: boolean, copy: () => void] {
  const t = useTranslations('lead')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast(t('copyFailed'), { tone: 'error' }),
    )
  }
  return [copied, copy]
}

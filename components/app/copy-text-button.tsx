import { useTranslations } from 'next-intl'
import { type ComponentProps, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { startTimeout } from '@/lib/start-timeout'

const CONFIRMED_MS = 1_600

type CopyTextButtonProps = ComponentProps<typeof Button> & { textToCopy: string }

/** Copies a text, and shows "copied" instead of its label for a moment. */
export function CopyTextButton({ textToCopy, text, ...button }: CopyTextButtonProps) {
  const t = useTranslations('common')
  const [copied, setCopied] = useState(false)
  useEffect(() => (copied ? startTimeout(CONFIRMED_MS, () => setCopied(false)) : undefined), [copied])
  const copy = () => {
    navigator.clipboard.writeText(textToCopy).then(
      () => setCopied(true),
      () => toast(t('copyFailed'), { tone: 'error' }),
    )
  }
  return <Button {...button} onClick={copy} text={<span aria-live="polite">{copied ? t('copied') : text}</span>} />
}

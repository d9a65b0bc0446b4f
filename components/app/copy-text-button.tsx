import { useTranslations } from 'next-intl'
import { type ComponentProps, useState } from 'react'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'

type CopyTextButtonProps = ComponentProps<typeof Button> & { textToCopy: string }

export function CopyTextButton({ textToCopy, text, ...button }: CopyTextButtonProps) {
  const t = useTranslations('common')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(textToCopy)
      setCopied(true)
    } catch {
      // The clipboard is missing without HTTPS, and the browser may refuse it.
      toast(t('copyFailed'), { tone: 'error' })
    }
  }
  return <Button {...button} onClick={copy} text={<span aria-live="polite">{isCopied ? t('copied') : text}</span>} />
}

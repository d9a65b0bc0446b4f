import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { FailureId } from './failure-id'

type LoadFailureProps = { onRetry: () => void; className?: string; children: ReactNode }

export function LoadFailure({ onRetry, className, children }: LoadFailureProps) {
  const t = useTranslations('common')
  return (
    <p role="alert" className={cn('flex flex-wrap items-center gap-3 text-sm text-mute', className)}>
      {children}
      <Button size="sm" onClick={onRetry}>
        {t('tryAgain')}
      </Button>
      <FailureId />
    </p>
  )
}

import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Button } from './button'
import { cn } from './cn'
import { FailureId } from './failure-id'
import { Skeleton } from './loading'

export function LoadFailure({ onRetry, className }: { onRetry: () => unknown; className?: string | undefined }) {
  const t = useTranslations('common')
  return (
    <p role="alert" className={cn('flex flex-wrap items-center gap-3 text-sm text-mute', className)}>
      {t('loadFailed')}
      <Button text={t('tryAgain')} size="sm" onClick={() => void onRetry()} />
      <FailureId />
    </p>
  )
}

type LoadingProps = { query: Pick<UseQueryResult, 'isError' | 'refetch'>; className: string }

export function LoadingOrFailure({ query, className }: LoadingProps) {
  return query.isError ? <LoadFailure onRetry={query.refetch} /> : <Skeleton className={className} />
}

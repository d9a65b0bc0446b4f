import { useTranslations } from 'next-intl'
import { Button } from './button'
import { cn } from './cn'
import { FailureId } from './failure-id'
import { Skeleton } from './loading'

type LoadFailureProps = { onRetry: () => unknown; className?: string | undefined }

export function LoadFailure({ onRetry, className }: LoadFailureProps) {
  const t = useTranslations('common')
  return (
    <p role="alert" className={cn('flex flex-wrap items-center gap-3 text-sm text-mute', className)}>
      {t('loadFailed')}
      <Button text={t('tryAgain')} size="sm" onClick={() => void onRetry()} />
      <FailureId />
    </p>
  )
}

type LoadingProps = { found: { isError: boolean; refetch: () => unknown }; className: string }

/** In place of what is not there yet: its room, or why it cannot be fetched. */
export function Loading({ found, className }: LoadingProps) {
  if (found.isError) return <LoadFailure onRetry={found.refetch} />
  return <Skeleton className={className} />
}

import { useTranslations } from 'next-intl'
import { cn } from './cn'

export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={cn('block animate-pulse rounded-sm bg-line-soft', className)} />
}

/** Stands for a screen that is being loaded. Each line is a class list and its own key, so no two may be equal. */
export function LoadingPage({ lines }: { lines: readonly string[] }) {
  const t = useTranslations('common')
  return (
    <div role="status" aria-label={t('loading')} className="page">
      {lines.map((classes) => (
        <Skeleton key={classes} className={classes} />
      ))}
    </div>
  )
}

export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-block size-4 animate-spin rounded-full border-2 border-current/25 border-t-current',
        className,
      )}
    />
  )
}

import { useTranslations } from 'next-intl'
import { cn } from './cn'

export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={cn('block animate-pulse rounded-sm bg-line-soft', className)} />
}

const LINE_CLASSES = ['h-6 w-44', 'h-4 w-72 max-w-full', 'h-20 rounded-lg', 'h-80 rounded-lg']

export function LoadingPage() {
  const t = useTranslations('common')
  return (
    <div role="status" aria-label={t('loading')} className="page">
      {LINE_CLASSES.map((className) => (
        <Skeleton key={className} className={className} />
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

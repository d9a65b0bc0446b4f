import { useTranslations } from 'next-intl'
import { Skeleton } from '@/components/ui/loading'

export default function Loading() {
  const t = useTranslations('common')
  return (
    <div role="status" aria-label={t('loading')} className="page">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-4 w-72 max-w-full" />
      <Skeleton className="h-32 w-full rounded-lg" />
      <Skeleton className="h-72 w-full rounded-lg" />
      <Skeleton className="h-72 w-full rounded-lg" />
    </div>
  )
}

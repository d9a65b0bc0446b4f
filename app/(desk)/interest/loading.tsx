import { useTranslations } from 'next-intl'
import { Skeleton } from '@/components/ui/loading'

export default function Loading() {
  const t = useTranslations('common')
  return (
    <div role="status" aria-label={t('loading')} className="page">
      <Skeleton className="mb-3 h-6 w-44" />
      <Skeleton className="mb-8 h-4 w-72 max-w-full" />
      <Skeleton className="h-96 w-full rounded-lg" />
    </div>
  )
}

import { useTranslations } from 'next-intl'
import { Skeleton } from '@/components/ui/loading'

export function LeadSkeleton() {
  const t = useTranslations('common')
  return (
    <div className="@container h-full">
      <div className="lead-body">
        <div className="flex flex-col gap-4">
          <output className="sr-only">{t('loading')}</output>
          <Skeleton className="h-7 w-56" />
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-36 w-full" />
        </div>
      </div>
    </div>
  )
}

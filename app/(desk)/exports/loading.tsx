import { useTranslations } from 'next-intl'
import { Skeleton } from '@/components/ui/loading'

const rows = ['w-4/5', 'w-3/5', 'w-5/6', 'w-2/3', 'w-3/4', 'w-1/2']

export default function Loading() {
  const t = useTranslations('common')
  return (
    <div role="status" aria-label={t('loading')} className="page">
      <Skeleton className="mb-2 h-6 w-40" />
      <Skeleton className="mb-6 h-4 w-72 max-w-full" />
      {rows.map((width) => (
        <div key={width} className="border-t border-line-soft py-3.5">
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  )
}

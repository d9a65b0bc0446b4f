import { useTranslations } from 'next-intl'
import { Skeleton } from '@/components/ui/loading'

const rows = ['w-40', 'w-56', 'w-48', 'w-36', 'w-52', 'w-44', 'w-60', 'w-32']

export default function Loading() {
  const t = useTranslations('common')
  return (
    <div
      role="status"
      aria-label={t('loading')}
      className="h-full max-w-110 border-line-soft bg-panel p-4 desk:border-r"
    >
      <Skeleton className="mb-5 h-6 w-48" />
      <Skeleton className="mb-6 h-9 w-full" />
      {rows.map((width) => (
        <div key={width} className="mb-6 flex flex-col gap-2 pl-7">
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="h-3 w-full" />
        </div>
      ))}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { savedViewsQuery } from '@/lib/api/queries'
import { QueuesNav } from './queues-nav'
import { ViewEntries } from './view-entries'

/** The ways to leads beside the lists: the queues, and the views that the user saved. */
export function LeadsNav({ onGone }: { onGone: (() => void) | undefined }) {
  const t = useTranslations('shell.views')
  return (
    <div className="flex flex-col gap-3">
      <QueuesNav onGone={onGone} />
      <section aria-label={t('title')}>
        <p aria-hidden className="px-2.5 pb-1 text-2xs font-semibold text-faint">
          {t('title')}
        </p>
        <Views onGone={onGone} />
      </section>
    </div>
  )
}

function Views({ onGone }: { onGone: (() => void) | undefined }) {
  const t = useTranslations('shell.views')
  const { data, isError, refetch } = useQuery(savedViewsQuery)
  if (data === undefined && isError) return <LoadFailure onRetry={refetch} className="px-2.5" />
  if (data === undefined) return <Skeleton className="mx-2.5 my-2 h-3" />
  if (data.views.length > 0) return <ViewEntries views={data.views} onGone={onGone} />
  return <p className="px-2.5 py-1 text-xs text-faint">{t('none')}</p>
}

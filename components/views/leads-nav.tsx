import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { savedViewsQuery } from '@/lib/api/queries'
import { QueuesNav } from './queues-nav'
import { ViewEntries } from './view-entries'

/** The ways to leads beside the lists: the queues, and the views that the user saved. */
export function LeadsNav({ onGone }: { onGone: (() => void) | undefined }) {
  const t = useTranslations('shell.views')
  const { data } = useQuery(savedViewsQuery)
  const views = data?.views ?? []
  return (
    <div className="flex flex-col gap-3">
      <QueuesNav onGone={onGone} />
      <section aria-label={t('title')}>
        <p aria-hidden className="px-2.5 pb-1 text-2xs font-semibold text-faint">
          {t('title')}
        </p>
        {views.length === 0 ? (
          <p className="px-2.5 py-1 text-xs text-pretty text-faint">{t('none')}</p>
        ) : (
          <ViewEntries views={views} onGone={onGone} />
        )}
      </section>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { lazyPart } from '@/components/desk/lazy-part'
import { savedViewsQuery } from '@/lib/api/queries'

export function ViewsNav({ onGone }: { onGone?: () => void }) {
  const t = useTranslations('shell.views')
  const { data } = useQuery(savedViewsQuery)
  const views = data?.views ?? []
  return (
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
  )
}

/** Users without views, and every first screen, do without them. */
const ViewEntries = lazyPart(async () => (await import('./view-entries')).ViewEntries)

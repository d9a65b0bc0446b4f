import { useFormatter, useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import type { FeedReport } from '@/lib/contract/feed-report'
import { Figure } from './figure'

/** What of the hour's requests is spent, and how the hour is split. */
export function BudgetCard({ budget }: Pick<FeedReport, 'budget'>) {
  const t = useTranslations('admin.status.budget')
  const format = useFormatter()
  const { spentThisHour, perHour, perSecond, shares } = budget
  return (
    <section aria-labelledby="budget" className="rounded-lg border border-line bg-panel p-4 shadow-card desk:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-10 gap-y-4">
        <div className="min-w-60 flex-1">
          <h2 id="budget" className="text-sm font-semibold">
            {t('title')}
          </h2>
          <p className="tabular mt-1 text-xl font-semibold">{t('spent', { spent: spentThisHour, limit: perHour })}</p>
          <Meter spent={spentThisHour} limit={perHour} />
          <p className="text-xs text-mute">{t('hint')}</p>
        </div>
        <dl className="grid grid-cols-2 gap-x-8 gap-y-3 text-sm">
          <Figure label={t('left')}>{format.number(Math.max(0, perHour - spentThisHour))}</Figure>
          <Figure label={t('perSecond')}>{format.number(perSecond)}</Figure>
          <Figure label={t('lists')}>{format.number(shares.lists)}</Figure>
          <Figure label={t('lookups')}>{format.number(shares.lookups)}</Figure>
        </dl>
      </div>
    </section>
  )
}

/** The number above says the same, so this is for the eye alone. */
function Meter({ spent, limit }: { spent: number; limit: number }) {
  return (
    <div aria-hidden="true" className="my-2 h-1.5 overflow-hidden rounded-full bg-line">
      <div
        className={cn(
          'h-full origin-left rounded-full transition-transform duration-500',
          spent < limit ? 'bg-accent' : 'bg-status-progress',
        )}
        style={{ transform: `scaleX(${Math.min(1, spent / limit)})` }}
      />
    </div>
  )
}

import { useLocale, useTranslations } from 'next-intl'
import type { FetchReport, ReportedList } from '@/lib/contract/feed-report'
import { preciseDuration } from './measures'
import { CHART, countOutcomes, fetchTimes, outcomeBars } from './outcome-bars'
import { OutcomeShape } from './outcome-shape'

type OutcomeChartProps = { list: ReportedList; history: readonly FetchReport[] }

/** A bar for each fetch, as high as it took long. The table beneath says the same in words. */
export function OutcomeChart({ list, history }: OutcomeChartProps) {
  const t = useTranslations('admin.status.history')
  const locale = useLocale()
  const { bars, lines } = outcomeBars(history)
  const percent = (y: number) => `${(y / CHART.height) * 100}%`
  return (
    <div className="flex gap-2">
      <div aria-hidden="true" className="tabular relative w-10 shrink-0 text-2xs text-faint">
        {lines.map(({ ms, y }) => (
          <span
            key={ms}
            suppressHydrationWarning
            className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
            style={{ top: percent(y) }}
          >
            {preciseDuration(ms, locale)}
          </span>
        ))}
      </div>
      <div className="min-w-0 flex-1">
        <svg
          suppressHydrationWarning
          role="img"
          aria-label={useSummary(list, history)}
          viewBox={`0 0 ${CHART.width} ${CHART.height}`}
          className="block w-full"
        >
          {lines.map(({ ms, y }) => (
            <line key={ms} x1="0" x2={CHART.width} y1={y} y2={y} className="stroke-line-soft" />
          ))}
          <line x1="0" x2={CHART.width} y1={CHART.height - 0.5} y2={CHART.height - 0.5} className="stroke-line" />
          {bars.map(({ x, top, fetch }) => (
            <OutcomeShape
              key={x}
              outcome={fetch.outcome}
              x={x + (CHART.slotWidth - CHART.barWidth) / 2}
              top={top}
              bottom={CHART.height}
              width={CHART.barWidth}
            />
          ))}
        </svg>
        <p aria-hidden="true" className="mt-1 flex justify-between text-2xs text-faint">
          <span>{t('oldest')}</span>
          <span>{t('newest')}</span>
        </p>
      </div>
    </div>
  )
}

/** The chart in one sentence. */
function useSummary(list: ReportedList, history: readonly FetchReport[]): string {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const { medianMs, longestMs } = fetchTimes(history)
  return t('history.chart', {
    list: t(`list.${list}`),
    count: history.length,
    outcomes: countOutcomes(history)
      .map(({ outcome, count }) => `${t(`outcome.${outcome}`)}: ${count}`)
      .join(', '),
    median: preciseDuration(medianMs, locale),
    longest: preciseDuration(longestMs, locale),
  })
}

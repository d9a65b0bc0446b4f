import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { FetchOutcome, FetchReport } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { CHART, countOutcomes, fetchTimes, outcomeBars } from './outcome-bars'
import { preciseDuration } from './status-figures'

type OutcomeChartProps = { list: FeedList; history: readonly FetchReport[] }

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
function useSummary(list: FeedList, history: readonly FetchReport[]): string {
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

type OutcomeShapeProps = { outcome: FetchOutcome; x: number; top: number; bottom: number; width: number }

/** One fetch as a bar: full, hollow, or with the mark of what went wrong above it. To be drawn within an `svg`. */
function OutcomeShape({ outcome, x, top, bottom, width }: OutcomeShapeProps) {
  const { colour, mark } = looks[outcome]
  const isHollow = outcome === 'not-modified'
  const inset = isHollow ? 0.5 : 0
  return (
    <g className={colour}>
      <rect
        x={x + inset}
        y={top + inset}
        width={width - 2 * inset}
        height={bottom - top - 2 * inset}
        fill={isHollow ? 'none' : 'currentColor'}
        stroke={isHollow ? 'currentColor' : 'none'}
      />
      {mark && <g transform={`translate(${x + width / 2} ${top - 7})`}>{mark}</g>}
    </g>
  )
}

/** The same, alone, for a legend. */
export function OutcomeSwatch({ outcome }: { outcome: FetchOutcome }) {
  const top = looks[outcome].mark ? 11 : 4
  return (
    <svg viewBox="0 0 10 18" aria-hidden="true" className="h-4.5 w-2.5">
      <OutcomeShape outcome={outcome} x={2.5} top={top} bottom={17} width={5} />
    </svg>
  )
}

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round' } as const

const looks: Record<FetchOutcome, { colour: string; mark: ReactNode }> = {
  ok: { colour: 'text-status-handled', mark: null },
  'not-modified': { colour: 'text-status-handled', mark: null },
  unavailable: { colour: 'text-danger', mark: <path {...line} d="m-2.8-2.8 5.6 5.6m0-5.6-5.6 5.6" /> },
  unreadable: { colour: 'text-danger', mark: <circle {...line} r="2.8" /> },
  'rate-limited': { colour: 'text-status-progress', mark: <path fill="currentColor" d="M0-4 4 0 0 4-4 0z" /> },
  unauthenticated: { colour: 'text-danger', mark: <path fill="currentColor" d="M0-3.6 4 3.2H-4z" /> },
  unauthorized: { colour: 'text-danger', mark: <path fill="currentColor" d="M-3-3H3V3H-3z" /> },
}

import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { RowsTable } from '@/components/ui/data-table'
import type { FetchOutcome, FetchReport } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { exactTime } from '@/lib/time/format-date'
import { dataSize, preciseDuration } from './status-parts'

type FetchHistoryProps = { list: FeedList; history: readonly FetchReport[] }

export function FetchHistory({ list, history }: FetchHistoryProps) {
  const t = useTranslations('admin.status.history')
  return (
    <div className="min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-sm font-medium">{t('title')}</h3>
        {history.length > 0 && <p className="text-xs text-mute">{t('scale')}</p>}
      </div>
      {history.length === 0 ? (
        <p className="rounded-md border border-dashed border-line px-4 py-8 text-center text-sm text-mute">
          {t('none')}
        </p>
      ) : (
        <>
          <Outcomes list={list} history={history} />
          <details className="mt-2 text-sm">
            <summary className="w-fit cursor-pointer rounded-sm py-1 text-mute hover:text-ink">{t('asTable')}</summary>
            <FetchTable list={list} history={history} />
          </details>
        </>
      )}
    </div>
  )
}

function Outcomes({ list, history }: FetchHistoryProps) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const { medianMs, longestMs } = fetchTimes(history)
  const times = { median: preciseDuration(medianMs, locale), longest: preciseDuration(longestMs, locale) }
  const counts = countOutcomes(history).map(({ outcome, count }) => ({ outcome, count, name: t(`outcome.${outcome}`) }))
  const outcomes = counts.map(({ name, count }) => `${name}: ${count}`).join(', ')
  const summary = { list: t(`list.${list}`), count: history.length, outcomes, ...times }
  return (
    <>
      <OutcomeChart name={t('history.chart', summary)} history={history} />
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {counts.map(({ outcome, name, count }) => (
          <li key={outcome} className="flex items-center gap-1.5">
            <svg viewBox="0 0 10 18" aria-hidden="true" className="h-4.5 w-2.5">
              <OutcomeShape outcome={outcome} x={2.5} top={looks[outcome].mark ? 11 : 4} bottom={17} />
            </svg>
            <span className="text-mute">{name}</span>
            <span className="tabular font-medium">{count}</span>
          </li>
        ))}
      </ul>
      <p suppressHydrationWarning className="mt-1 text-xs text-mute">
        {t('history.times', times)}
      </p>
    </>
  )
}

function OutcomeChart({ name, history }: { name: string; history: readonly FetchReport[] }) {
  const t = useTranslations('admin.status.history')
  const locale = useLocale()
  const { bars, lines } = outcomeBars(history)
  const { width, height, slotWidth, barWidth } = CHART
  return (
    <div className="flex gap-2">
      <div aria-hidden="true" className="tabular relative w-10 shrink-0 text-2xs text-faint">
        {lines.map(({ ms, y }) => (
          <span
            key={ms}
            suppressHydrationWarning
            className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
            style={{ top: `${(y / height) * 100}%` }}
          >
            {preciseDuration(ms, locale)}
          </span>
        ))}
      </div>
      <div className="min-w-0 flex-1">
        <svg
          suppressHydrationWarning
          role="img"
          aria-label={name}
          viewBox={`0 0 ${width} ${height}`}
          className="block w-full"
        >
          {lines.map(({ ms, y }) => (
            <line key={ms} x1="0" x2={width} y1={y} y2={y} className="stroke-line-soft" />
          ))}
          <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
          {bars.map(({ x, top, fetch: { outcome } }) => (
            <OutcomeShape key={x} outcome={outcome} x={x + (slotWidth - barWidth) / 2} top={top} bottom={height} />
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

function OutcomeShape({ outcome, x, top, bottom }: { outcome: FetchOutcome; x: number; top: number; bottom: number }) {
  const { colour, mark } = looks[outcome]
  const isHollow = outcome === 'not-modified'
  const inset = isHollow ? 0.5 : 0
  return (
    <g className={colour}>
      <rect
        x={x + inset}
        y={top + inset}
        width={CHART.barWidth - 2 * inset}
        height={bottom - top - 2 * inset}
        fill={isHollow ? 'none' : 'currentColor'}
        stroke={isHollow ? 'currentColor' : 'none'}
      />
      {mark && <g transform={`translate(${x + CHART.barWidth / 2} ${top - 7})`}>{mark}</g>}
    </g>
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

function FetchTable({ list, history }: FetchHistoryProps) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const timeOf = ({ at }: FetchReport) => exactTime(Date.parse(at), locale)
  const durationOf = ({ durationMs }: FetchReport) => preciseDuration(durationMs, locale)
  const sizeOf = ({ bytes }: FetchReport) => bytes > 0 && dataSize(bytes, locale)
  return (
    <RowsTable
      caption={t('history.tableOf', { list: t(`list.${list}`) })}
      rows={history}
      keyOf={({ at }) => at}
      columns={[
        { name: t('history.at'), className: 'tabular whitespace-nowrap', cell: timeOf },
        { name: t('history.outcome'), className: 'whitespace-nowrap', cell: ({ outcome }) => t(`outcome.${outcome}`) },
        { name: t('history.duration'), isNumber: true, cell: durationOf },
        { name: t('history.size'), isNumber: true, cell: sizeOf },
        { name: t('history.detail'), className: 'text-mute', cell: ({ detail }) => <span lang="en">{detail}</span> },
      ]}
    />
  )
}

/** The chart's coordinates: one slot for each of the fetches remembered, room above for the marks of failures. */
export const CHART = { slots: 60, slotWidth: 8, barWidth: 5, width: 480, height: 104, headroom: 14 } as const

type Bar = { x: number; top: number; fetch: FetchReport }
type OutcomeBars = {
  /** Oldest first, the newest at the right. */
  bars: Bar[]
  /** A line for every power of ten, in ms. */
  lines: { ms: number; y: number }[]
}

const LEAST_TOP_MS = 100
/** So that even a fetch of no time can be seen. */
const LEAST_HEIGHT = 4

/** The place of each fetch's bar, on a logarithmic scale: 10 ms and a time-out of 30 s have to fit on one chart. */
export function outcomeBars(history: readonly FetchReport[]): OutcomeBars {
  const latest = history.slice(0, CHART.slots)
  const longest = Math.max(LEAST_TOP_MS, ...latest.map(({ durationMs }) => durationMs))
  const decades = Math.ceil(Math.log10(longest))
  const y = (ms: number) => {
    const share = Math.log10(Math.max(1, ms)) / decades
    return CHART.height - Math.max(LEAST_HEIGHT, share * (CHART.height - CHART.headroom))
  }
  return {
    bars: latest
      .map((fetch, age) => ({ x: CHART.width - (age + 1) * CHART.slotWidth, top: y(fetch.durationMs), fetch }))
      .toReversed(),
    lines: Array.from({ length: decades }, (_, index) => 10 ** (index + 1)).map((ms) => ({ ms, y: y(ms) })),
  }
}

export const outcomes = [
  'ok',
  'not-modified',
  'unavailable',
  'unreadable',
  'rate-limited',
  'unauthenticated',
  'unauthorized',
] as const satisfies readonly FetchOutcome[]

export function countOutcomes(history: readonly FetchReport[]): { outcome: FetchOutcome; count: number }[] {
  return outcomes
    .map((outcome) => ({ outcome, count: history.filter((fetch) => fetch.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
}

/** Half of the fetches took at most `medianMs`. Both are 0 when there are none. */
export function fetchTimes(history: readonly FetchReport[]): { medianMs: number; longestMs: number } {
  const sorted = history.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  return { medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, longestMs: sorted.at(-1) ?? 0 }
}

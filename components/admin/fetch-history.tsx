import { useLocale, useTranslations } from 'next-intl'
import { RowsTable } from '@/components/ui/data-table'
import type { FetchOutcome, FetchReport } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { exactTime } from '@/lib/time/format-date'
import { LegendShape, FetchChart, OUTCOMES } from './fetch-chart'
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
      <FetchChart label={t('history.chart', summary)} history={history} />
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {counts.map(({ outcome, name, count }) => (
          <li key={outcome} className="flex items-center gap-1.5">
            <LegendShape outcome={outcome} />
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

export function countOutcomes(history: readonly FetchReport[]): { outcome: FetchOutcome; count: number }[] {
  return OUTCOMES.map((outcome) => ({
    outcome,
    count: history.filter((fetch) => fetch.outcome === outcome).length,
  })).filter(({ count }) => count > 0)
}

/** Both are 0 without fetches. */
export function fetchTimes(history: readonly FetchReport[]): { medianMs: number; longestMs: number } {
  const sorted = history.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  return { medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, longestMs: sorted.at(-1) ?? 0 }
}

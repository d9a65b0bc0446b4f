import { useLocale, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import type { FetchReport } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { exactTime } from '@/lib/time/format-date'
import { countOutcomes, fetchTimes } from './outcome-bars'
import { OutcomeChart, OutcomeSwatch } from './outcome-chart'
import { dataSize, preciseDuration } from './status-figures'

type FetchHistoryProps = { list: FeedList; history: readonly FetchReport[] }

/** The latest fetches as a chart, as numbers, and as a table. */
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
          <OutcomeChart list={list} history={history} />
          <Legend history={history} />
          <details className="mt-2 text-sm">
            <summary className="w-fit cursor-pointer rounded-sm py-1 text-mute hover:text-ink">{t('asTable')}</summary>
            <FetchTable list={list} history={history} />
          </details>
        </>
      )}
    </div>
  )
}

function Legend({ history }: Pick<FetchHistoryProps, 'history'>) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const { medianMs, longestMs } = fetchTimes(history)
  return (
    <>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {countOutcomes(history).map(({ outcome, count }) => (
          <li key={outcome} className="flex items-center gap-1.5">
            <OutcomeSwatch outcome={outcome} />
            <span className="text-mute">{t(`outcome.${outcome}`)}</span>
            <span className="tabular font-medium">{count}</span>
          </li>
        ))}
      </ul>
      <p suppressHydrationWarning className="mt-1 text-xs text-mute">
        {t('history.times', { median: preciseDuration(medianMs, locale), longest: preciseDuration(longestMs, locale) })}
      </p>
    </>
  )
}

/** The latest fetches in words, newest first. */
function FetchTable({ list, history }: { list: FeedList; history: readonly FetchReport[] }) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const columns = [
    { name: t('history.at') },
    { name: t('history.outcome') },
    { name: t('history.duration'), isNumber: true },
    { name: t('history.size'), isNumber: true },
    { name: t('history.detail') },
  ]
  return (
    <DataTable caption={t('history.tableOf', { list: t(`list.${list}`) })} columns={columns}>
      {history.map(({ at, outcome, durationMs, bytes, detail }) => (
        <tr key={at}>
          <td suppressHydrationWarning className="tabular whitespace-nowrap">
            {exactTime(Date.parse(at), locale)}
          </td>
          <td className="whitespace-nowrap">{t(`outcome.${outcome}`)}</td>
          <td suppressHydrationWarning className="tabular text-right whitespace-nowrap">
            {preciseDuration(durationMs, locale)}
          </td>
          <td suppressHydrationWarning className="tabular text-right whitespace-nowrap">
            {bytes > 0 && dataSize(bytes, locale)}
          </td>
          <td lang="en" className="text-mute">
            {detail}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

import { useLocale, useTranslations } from 'next-intl'
import type { FetchReport, ReportedList } from '@/lib/contract/feed-report'
import { DataTable } from './data-table'
import { dataSize, exactTime, preciseDuration } from './measures'

/** The latest fetches in words, newest first. */
export function FetchTable({ list, history }: { list: ReportedList; history: readonly FetchReport[] }) {
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
            {exactTime(at, locale)}
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

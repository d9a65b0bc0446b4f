import { useTranslations } from 'next-intl'
import type { ListReport, ReportedList } from '@/lib/contract/feed-report'
import { DataTable } from './data-table'

/** The records of the service that could not be read: which, and why; never what they hold. */
export function SetAsideRecords({ list, report }: { list: ReportedList; report: ListReport }) {
  const t = useTranslations('admin.status')
  const { total, records } = report.setAside
  if (report.fetchedAt === null) return null
  return (
    <div className="border-t border-line-soft pt-3">
      <h3 className="flex items-center gap-2 text-sm font-medium">
        {t('setAside.title')}
        {total > 0 && <span className="tabular rounded-sm bg-warn px-1.5 text-xs text-warn-ink">{total}</span>}
      </h3>
      {total === 0 ? (
        <p className="text-sm text-mute">{t('setAside.none')}</p>
      ) : (
        <>
          <p className="max-w-prose text-sm text-mute">
            {t('setAside.hint')} {records.length < total && t('setAside.shown', { shown: records.length, total })}
          </p>
          <RecordTable list={list} records={records} />
        </>
      )}
    </div>
  )
}

function RecordTable({ list, records }: { list: ReportedList; records: ListReport['setAside']['records'] }) {
  const t = useTranslations('admin.status')
  const columns = [
    { name: t('setAside.index'), isNumber: true },
    { name: t('setAside.id') },
    { name: t('setAside.reason') },
  ]
  return (
    <DataTable caption={t('setAside.tableOf', { list: t(`list.${list}`) })} columns={columns}>
      {records.map(({ index, id, reason }) => (
        <tr key={index}>
          <td className="tabular w-16 text-right">{index}</td>
          <td className="min-w-32 break-all">
            {id === null ? (
              <span className="text-faint">{t('setAside.noId')}</span>
            ) : (
              <code className="font-mono">{id}</code>
            )}
          </td>
          <td lang="en" className="min-w-48">
            {reason}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

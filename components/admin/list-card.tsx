import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { DataTable } from '@/components/ui/data-table'
import type { ListReport } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { dayAndTime, shortDuration, sinceTime } from '@/lib/time/format-time'
import { FetchHistory } from './fetch-history'
import { HealthCard, listHealth } from './list-health'
import { dataSize, Figure, hourlyRate, preciseDuration } from './status-figures'

type ListCardProps = { list: FeedList; report: ListReport; now: number }

/** All about one list: how it fares, what to do if it does not, its figures, its latest fetches, what could not be read. */
export function ListCard({ list, report, now }: ListCardProps) {
  const t = useTranslations('admin.status')
  const health = listHealth(report)
  return (
    <HealthCard id={list} title={t(`list.${list}`)} health={health} word={t(`health.${health}`)}>
      <ListProblem report={report} now={now} />
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 desk:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <ListFigures report={report} now={now} />
        <FetchHistory list={list} history={report.history} />
      </div>
      <SetAsideRecords list={list} report={report} />
    </HealthCard>
  )
}

/** What is wrong, since when, what to do and what happens next. Nothing while all is well. */
function ListProblem({ report, now }: Omit<ListCardProps, 'list'>) {
  const { problem, fetchedAt, nextAt } = report
  const t = useTranslations('admin.status.problem')
  const locale = useLocale()
  if (problem === null) return null
  const { since, detail, doubt } = problem
  const kind = problem.at ?? problem.kind
  if (doubt) return <HeldBack doubt={doubt} report={report} now={now} />
  const retryInMs = nextAt === null ? 0 : Date.parse(nextAt) - now
  return (
    <div className="flex flex-col gap-2 rounded-md bg-danger-soft px-4 py-3 text-sm text-danger-ink">
      <p className="font-semibold">{t(`${kind}.title`)}</p>
      <p suppressHydrationWarning className="max-w-prose">
        {t(`${kind}.what`)} {t('since', { time: sinceTime(Date.parse(since), now, locale) })}
      </p>
      <p className="max-w-prose">
        <strong className="font-semibold">{t('todoLabel')}:</strong> {t(`${kind}.todo`)}
      </p>
      <p suppressHydrationWarning className="tabular max-w-prose">
        {retryInMs < 1000 ? t('retryNow') : t('retryIn', { time: shortDuration(retryInMs, locale) })}{' '}
        {fetchedAt === null ? t('nothingKept') : t('kept', { time: dayAndTime(Date.parse(fetchedAt), now, locale) })}
      </p>
      <p className="text-xs">
        {t('detail')}{' '}
        <code lang="en" className="font-mono break-words">
          {detail}
        </code>
      </p>
    </div>
  )
}

type HeldBackProps = Omit<ListCardProps, 'list'> & { doubt: NonNullable<NonNullable<ListReport['problem']>['doubt']> }

/** A list that suddenly shrank and is not believed yet: both numbers, what it may be, and how it goes on. */
function HeldBack({ doubt, report: { fetchedAt, nextAt }, now }: HeldBackProps) {
  const t = useTranslations('admin.status.heldBack')
  const problem = useTranslations('admin.status.problem')
  const format = useFormatter()
  const locale = useLocale()
  const retryInMs = nextAt === null ? 0 : Date.parse(nextAt) - now
  return (
    <div className="flex flex-col items-start gap-2 rounded-md bg-warn px-4 py-3 text-sm text-warn-ink">
      <p className="font-semibold">{t('title')}</p>
      <p suppressHydrationWarning className="tabular max-w-prose">
        {t('what', { before: format.number(doubt.before), now: format.number(doubt.now) })}{' '}
        {fetchedAt !== null && problem('kept', { time: dayAndTime(Date.parse(fetchedAt), now, locale) })}
      </p>
      <p className="max-w-prose">{t('why')}</p>
      <p suppressHydrationWarning className="tabular max-w-prose">
        {t('answers', { count: doubt.answers })}{' '}
        {retryInMs < 1000 ? problem('retryNow') : problem('retryIn', { time: shortDuration(retryInMs, locale) })}
      </p>
    </div>
  )
}

/** How old, how large, how lively. A list without a rate of arrivals shows none. */
function ListFigures({ report, now }: { report: ListReport; now: number }) {
  const t = useTranslations('admin.status.figure')
  const format = useFormatter()
  const locale = useLocale()
  const { fetchedAt, nextAt, intervalMs, records, bytes, arrivalsPerHour, version } = report
  const nextInMs = nextAt === null ? null : Date.parse(nextAt) - now
  const known = <T,>(value: T | null, text: (value: T) => string) => (value === null ? <Unknown /> : text(value))
  return (
    <dl className="grid content-start gap-x-6 gap-y-3.5 text-sm min-[18rem]:grid-cols-2 sm:grid-cols-3">
      <Figure label={t('age')}>{known(fetchedAt, (at) => shortDuration(now - Date.parse(at), locale))}</Figure>
      <Figure label={t('next')}>
        {known(nextInMs, (ms) => (ms < 1000 ? t('now') : t('inTime', { time: shortDuration(ms, locale) })))}
      </Figure>
      <Figure label={t('interval')}>{known(intervalMs, (ms) => preciseDuration(ms, locale))}</Figure>
      <Figure label={t('records')}>{known(records, (count) => format.number(count))}</Figure>
      <Figure label={t('size')}>{known(bytes, (count) => dataSize(count, locale))}</Figure>
      {arrivalsPerHour !== null && <Figure label={t('arrivals')}>{hourlyRate(arrivalsPerHour, locale)}</Figure>}
      <Figure label={t('version')}>{version === 0 ? <Unknown /> : String(version)}</Figure>
    </dl>
  )
}

function Unknown() {
  const t = useTranslations('admin.status.figure')
  return <span className="font-normal text-faint">{t('unknown')}</span>
}

/** The records of the service that could not be read: which, and why; never what they hold. */
function SetAsideRecords({ list, report }: { list: FeedList; report: ListReport }) {
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

function RecordTable({ list, records }: { list: FeedList; records: ListReport['setAside']['records'] }) {
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

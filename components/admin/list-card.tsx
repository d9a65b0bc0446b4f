import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { RowsTable } from '@/components/ui/data-table'
import type { ListReport } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { dayAndTime, shortDuration, sinceTime } from '@/lib/time/format-time'
import { FetchHistory } from './fetch-history'
import {
  dataSize,
  Detail,
  Figure,
  HealthCard,
  hourlyRate,
  listHealth,
  preciseDuration,
  ProblemBox,
} from './status-parts'

type ListCardProps = { list: FeedList; report: ListReport; now: number }

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
      {report.fetchedAt !== null && <SetAsideRecords list={list} setAside={report.setAside} />}
    </HealthCard>
  )
}

function ListProblem({ report: { problem, fetchedAt, nextAt }, now }: Omit<ListCardProps, 'list'>) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const format = useFormatter()
  if (problem === null) return null
  const { since, detail, doubt } = problem
  const retryInMs = nextAt === null ? 0 : Date.parse(nextAt) - now
  const retry =
    retryInMs < 1000 ? t('problem.retryNow') : t('problem.retryIn', { time: shortDuration(retryInMs, locale) })
  const kept = fetchedAt && t('problem.kept', { time: dayAndTime(Date.parse(fetchedAt), now, locale) })
  if (doubt) {
    const sizes = { before: format.number(doubt.before), now: format.number(doubt.now) }
    return (
      <ProblemBox isMild title={t('heldBack.title')}>
        <p suppressHydrationWarning className="tabular">
          {t('heldBack.what', sizes)} {kept}
        </p>
        <p>{t('heldBack.why')}</p>
        <p suppressHydrationWarning className="tabular">
          {t('heldBack.answers', { count: doubt.answers })} {retry}
        </p>
      </ProblemBox>
    )
  }
  const kind = problem.at ?? problem.kind
  return (
    <ProblemBox title={t(`problem.${kind}.title`)}>
      <p suppressHydrationWarning>
        {t(`problem.${kind}.what`)} {t('problem.since', { time: sinceTime(Date.parse(since), now, locale) })}
      </p>
      <p>
        <strong className="font-semibold">{t('problem.todoLabel')}:</strong> {t(`problem.${kind}.todo`)}
      </p>
      <p suppressHydrationWarning className="tabular">
        {retry} {kept ?? t('problem.nothingKept')}
      </p>
      <Detail label={t('problem.detail')} text={detail} />
    </ProblemBox>
  )
}

function ListFigures({ report, now }: { report: ListReport; now: number }) {
  const t = useTranslations('admin.status.figure')
  const format = useFormatter()
  const locale = useLocale()
  const { fetchedAt, nextAt, intervalMs, records, bytes, arrivalsPerHour, version } = report
  const textOrDash = <T,>(value: T | null, text: (value: T) => string) =>
    value === null ? <span className="font-normal text-faint">{t('unknown')}</span> : text(value)
  const next = (at: string) => {
    const ms = Date.parse(at) - now
    return ms < 1000 ? t('now') : t('inTime', { time: shortDuration(ms, locale) })
  }
  return (
    <dl className="grid content-start gap-x-6 gap-y-3.5 text-sm min-[18rem]:grid-cols-2 sm:grid-cols-3">
      <Figure label={t('age')}>{textOrDash(fetchedAt, (at) => shortDuration(now - Date.parse(at), locale))}</Figure>
      <Figure label={t('next')}>{textOrDash(nextAt, next)}</Figure>
      <Figure label={t('interval')}>{textOrDash(intervalMs, (ms) => preciseDuration(ms, locale))}</Figure>
      <Figure label={t('records')}>{textOrDash(records, (count) => format.number(count))}</Figure>
      <Figure label={t('size')}>{textOrDash(bytes, (count) => dataSize(count, locale))}</Figure>
      {arrivalsPerHour !== null && <Figure label={t('arrivals')}>{hourlyRate(arrivalsPerHour, locale)}</Figure>}
      <Figure label={t('version')}>{textOrDash(version || null, String)}</Figure>
    </dl>
  )
}

function SetAsideRecords({ list, setAside: { total, records } }: Pick<ListReport, 'setAside'> & { list: FeedList }) {
  const t = useTranslations('admin.status')
  const shown = records.length < total && t('setAside.shown', { shown: records.length, total })
  return (
    <div className="border-t border-line-soft pt-3">
      <h3 className="flex items-center gap-2 text-sm font-medium">
        {t('setAside.title')}
        {total > 0 && <span className="tabular rounded-sm bg-warn px-1.5 text-xs text-warn-ink">{total}</span>}
      </h3>
      <p className="max-w-prose text-sm text-mute">
        {total === 0 ? t('setAside.none') : t('setAside.hint')} {shown}
      </p>
      {total > 0 && <RecordTable list={list} records={records} />}
    </div>
  )
}

function RecordTable({ list, records }: { list: FeedList; records: ListReport['setAside']['records'] }) {
  const t = useTranslations('admin.status')
  const noId = <span className="text-faint">{t('setAside.noId')}</span>
  return (
    <RowsTable
      caption={t('setAside.tableOf', { list: t(`list.${list}`) })}
      rows={records}
      keyOf={({ index }) => index}
      columns={[
        { name: t('setAside.index'), isNumber: true, className: 'w-16', cell: ({ index }) => index },
        {
          name: t('setAside.id'),
          className: 'min-w-32 break-all',
          cell: ({ id }) => (id === null ? noId : <code className="font-mono">{id}</code>),
        },
        { name: t('setAside.reason'), className: 'min-w-48', cell: ({ reason }) => <span lang="en">{reason}</span> },
      ]}
    />
  )
}

import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { RowsTable } from '@/components/ui/data-table'
import type { ListReport, Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { dayAndTime, shortDuration, sinceTime } from '@/lib/time/format-time'
import { Detail, Figure, HealthCard, listHealth, ProblemBox } from './status-parts'

type ListCardProps = { list: FeedList; status: Status; report: ListReport; now: number }

export function ListCard(props: ListCardProps) {
  const { list, status, report } = props
  const t = useTranslations('admin.status')
  const health = listHealth(status, list)
  return (
    <HealthCard id={list} title={t(`list.${list}`)} health={health} word={t(`health.${health}`)}>
      <ListProblem {...props} />
      <ListFigures {...props} />
      {report.setAside.total > 0 && <SetAsideRecords list={list} setAside={report.setAside} />}
    </HealthCard>
  )
}

function ListProblem({ list, status, report, now }: ListCardProps) {
  const t = useTranslations('admin.status')
  const words = useTranslations('status')
  const locale = useLocale()
  const format = useFormatter()
  const problem = status.problems.find((each) => each.list === list)
  if (problem === undefined) return null
  const { since, retryAt, isHeldBack, kind, at } = problem
  const { detail = '', doubt } = report.problem ?? {}
  const fetchedAt = status.lists[list]?.fetchedAt
  const retryInMs = retryAt === null ? 0 : Date.parse(retryAt) - now
  const retry =
    retryInMs < 1000 ? t('problem.retryNow') : t('problem.retryIn', { time: shortDuration(retryInMs, locale) })
  const kept = fetchedAt && t('problem.kept', { time: dayAndTime(Date.parse(fetchedAt), now, locale) })
  if (isHeldBack) {
    const sizes = doubt && { before: format.number(doubt.before), now: format.number(doubt.now) }
    return (
      <ProblemBox isMild title={t('heldBack.title')}>
        <p suppressHydrationWarning className="tabular">
          {sizes && t('heldBack.what', sizes)} {kept}
        </p>
        <p>{t('heldBack.why')}</p>
        <p suppressHydrationWarning className="tabular">
          {doubt && t('heldBack.answers', { count: doubt.answers })} {retry}
        </p>
      </ProblemBox>
    )
  }
  return (
    <ProblemBox title={words(`problem.${at ?? kind}`)}>
      <p suppressHydrationWarning>
        {t(`problem.${at ?? kind}.what`)} {words('since', { since: sinceTime(Date.parse(since), now, locale) })}
      </p>
      <p>
        <strong className="font-semibold">{t('problem.todoLabel')}:</strong> {t(`problem.${at ?? kind}.todo`)}
      </p>
      <p suppressHydrationWarning className="tabular">
        {retry} {kept ?? t('problem.nothingKept')}
      </p>
      <Detail label={t('problem.detail')} text={detail} />
    </ProblemBox>
  )
}

function ListFigures({ list, status, report, now }: ListCardProps) {
  const t = useTranslations('admin.status.figure')
  const format = useFormatter()
  const locale = useLocale()
  const { fetchedAt = null, nextAt = null } = status.lists[list] ?? {}
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
      <Figure label={t('records')}>{textOrDash(report.records, (count) => format.number(count))}</Figure>
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
        <span className="tabular rounded-sm bg-warn px-1.5 text-xs text-warn-ink">{total}</span>
      </h3>
      <p className="max-w-prose text-sm text-mute">
        {t('setAside.hint')} {shown}
      </p>
      <RecordTable list={list} records={records} />
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

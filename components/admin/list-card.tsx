import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { toProblemKey } from '@/components/app/feed-summary'
import { Notice } from '@/components/ui/notice'
import type { Status } from '@/lib/contract/feed-status'
import type { ListReport } from '@/lib/contract/service-report'
import type { FeedList } from '@/lib/contract/lists'
import { formatShortDuration, formatSince } from '@/lib/time/format-time'
import { TechnicalDetail, HealthCard } from './health-card'
import { findListHealth } from './list-health'

const MIN_SHOWN_WAIT_MS = 1000

type ListCardProps = { list: FeedList; status: Status; report: ListReport; now: number }

/** Shows how fresh a list of the service is, what is wrong with it, and which of its records were set aside. */
export function ListCard({ list, status, report, now }: ListCardProps) {
  const t = useTranslations('admin.status')
  const format = useFormatter()
  const locale = useLocale()
  const health = findListHealth(status, list)
  const problem = status.problems.find((item) => item.list === list)
  const fetchedAt = status.lists[list]?.fetchedAt
  const nextAt = problem?.retryAt ?? status.lists[list]?.nextAt
  const { total, records } = report.setAside
  const noValue = <span className="font-normal text-faint">{t('figure.unknown')}</span>
  const formatDuration = (ms: number) => formatShortDuration(ms, locale)
  const formatNext = (waitMs: number) =>
    waitMs < MIN_SHOWN_WAIT_MS ? t('figure.now') : t('figure.inTime', { time: formatDuration(waitMs) })
  return (
    <HealthCard id={list} title={t(`list.${list}`)} health={health} healthText={t(`health.${health}`)}>
      {problem && <ListProblem problem={problem} detail={report.problem?.detail ?? ''} now={now} />}
      <dl className="grid content-start gap-x-6 gap-y-3.5 text-sm min-[18rem]:grid-cols-2 sm:grid-cols-3">
        <Figure label={t('figure.age')}>{fetchedAt ? formatDuration(now - Date.parse(fetchedAt)) : noValue}</Figure>
        <Figure label={t('figure.next')}>{nextAt ? formatNext(Date.parse(nextAt) - now) : noValue}</Figure>
        <Figure label={t('figure.records')}>{report.records === null ? noValue : format.number(report.records)}</Figure>
      </dl>
      {total > 0 && (
        <div className="border-t border-line-soft pt-3">
          <h3 className="flex items-center gap-2 text-sm font-medium">
            {t('setAside.title')}
            <span className="tabular rounded-sm bg-warn px-1.5 text-xs text-warn-ink">{total}</span>
          </h3>
          <p className="max-w-prose text-sm text-mute">
            {t('setAside.hint')} {records.length < total && t('setAside.shown', { shown: records.length, total })}
          </p>
          <ul
            aria-label={t('setAside.listOf', { list: t(`list.${list}`) })}
            tabIndex={0}
            className="mt-2 max-h-72 scroll-thin overflow-y-auto rounded-md border border-line text-xs"
          >
            {records.map(({ index, id, reason }) => (
              <li key={index} className="flex flex-wrap gap-x-3 border-b border-line-soft px-3 py-1.5 last:border-b-0">
                <span className="tabular w-8 text-mute">{index}</span>
                <code className="break-all">{id ?? t('setAside.noId')}</code>
                <span lang="en">{reason}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </HealthCard>
  )
}

type ListProblemProps = { problem: Status['problems'][number]; detail: string; now: number }

function ListProblem({ problem, detail, now }: ListProblemProps) {
  const t = useTranslations('admin.status.problem')
  const tStatus = useTranslations('status')
  const locale = useLocale()
  const problemKey = toProblemKey(problem)
  const since = formatSince(Date.parse(problem.since), now, locale)
  return (
    <Notice tone={problem.isHeldBack ? 'warn' : 'danger'} className="tabular flex flex-col gap-2 [&>p]:max-w-prose">
      <p className="font-semibold">{tStatus(`problem.${problemKey}`)}</p>
      {/* Time passes between the server's text and the browser's, hence `suppressHydrationWarning`. */}
      <p suppressHydrationWarning>{`${t(`${problemKey}.what`)} ${tStatus('since', { since })}`}</p>
      <p>{t('todo', { todo: t(`${problemKey}.todo`) })}</p>
      <TechnicalDetail label={t('detail')} text={detail} />
    </Notice>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-xs text-mute">{label}</dt>
      <dd suppressHydrationWarning className="tabular font-medium">
        {children}
      </dd>
    </div>
  )
}
